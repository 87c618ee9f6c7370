/* SPDX-License-Identifier: Apache-2.0 */
/** Shared words of connections, sessions and slots, under jcstress. */
package io.rsockets4j.core.shm;
