/* SPDX-License-Identifier: Apache-2.0 */
/** What processes of one user share on a host: the directory in which they meet, and the proof of who owns what. */
package io.rsockets4j.core.host;
