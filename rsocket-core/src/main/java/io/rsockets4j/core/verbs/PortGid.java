/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

/**
 * A port of a device, and which entry of its table of GIDs is meant. Immutable.
 *
 * @param port from 1 on
 * @param index from 0 on; {@link #NO_GID} where packets carry no GID, as within one InfiniBand subnet
 */
public record PortGid(int port, int index) {
    /** The index where packets carry no GID. */
    public static final int NO_GID = -1;
}
