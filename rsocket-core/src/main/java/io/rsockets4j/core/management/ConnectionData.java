/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.management;

import io.rsockets4j.core.stat.ConnectionSnapshot;

/**
 * A {@link ConnectionSnapshot} with getters, which is what JMX makes composite data of: an item for each. Immutable.
 */
public final class ConnectionData {
    private final ConnectionSnapshot snapshot;

    ConnectionData(ConnectionSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** {@return a number that no other connection of this process has} */
    public long getId() {
        return snapshot.id();
    }

    /** {@return {@code connect} or {@code accept}} */
    public String getDirection() {
        return snapshot.direction();
    }

    /** {@return this end's address} */
    public String getLocal() {
        return snapshot.local();
    }

    /** {@return the peer's address} */
    public String getRemote() {
        return snapshot.remote();
    }

    /** {@return for example {@code shm}} */
    public String getPath() {
        return snapshot.path();
    }

    /** {@return number and name of why that path} */
    public String getReason() {
        return snapshot.reason();
    }

    /** {@return bytes since it began; 0 over tcp, where the kernel counts} */
    public long getBytesSent() {
        return snapshot.bytesSent();
    }

    /** {@return bytes since it began; 0 over tcp} */
    public long getBytesReceived() {
        return snapshot.bytesReceived();
    }

    /** {@return of the bytes sent those that went straight into buffers of the peer's reads} */
    public long getDirectBytesSent() {
        return snapshot.directBytesSent();
    }

    /** {@return of the bytes received those that came straight into buffers of reads} */
    public long getDirectBytesReceived() {
        return snapshot.directBytesReceived();
    }

    /** {@return bytes that may be sent at once, as last seen} */
    public long getCreditBytes() {
        return snapshot.creditBytes();
    }

    /** {@return how often someone had to wait for credit} */
    public long getStalls() {
        return snapshot.stalls();
    }

    /** {@return milliseconds since the epoch} */
    public long getOpenedAtMillis() {
        return snapshot.openedAtMillis();
    }
}
