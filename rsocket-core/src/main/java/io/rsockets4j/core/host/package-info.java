/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What processes of one host have in common: the user's directory and who owns what in it, Unix-domain sockets, files
 * of shared memory, the words in them and how much of it may be made, addresses, ports and descriptors. Knows nothing
 * of connections.
 */
package io.rsockets4j.core.host;
