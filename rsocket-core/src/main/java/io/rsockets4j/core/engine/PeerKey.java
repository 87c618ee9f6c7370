/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import java.net.InetSocketAddress;

/**
 * A path to a peer, as a key of maps. Compares by code of its own: a record's would cost a program's first connect to a
 * plain peer 25 ms. Immutable.
 */
final class PeerKey {
    private final String path;
    private final InetSocketAddress peer;

    PeerKey(String path, InetSocketAddress peer) {
        this.path = path;
        this.peer = peer;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PeerKey key && path.equals(key.path) && peer.equals(key.peer);
    }

    @Override
    public int hashCode() {
        return 31 * path.hashCode() + peer.hashCode();
    }
}
