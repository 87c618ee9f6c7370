/* SPDX-License-Identifier: Apache-2.0 */
/** Shared words of connections and slots, under jcstress. */
package io.rsockets4j.core.shm;
