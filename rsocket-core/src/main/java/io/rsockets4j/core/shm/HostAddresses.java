/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.log.Log;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which addresses are this host's, in this network namespace. Thread-safe; asks the kernel once a second at most. */
final class HostAddresses {
    private static final Log LOG = Log.of(HostAddresses.class);
    private static final long TRUST_NANOS = 1_000_000_000;

    private final Map<InetAddress, Long> own = new ConcurrentHashMap<>(); // when each was last found

    /** Whether an address belongs to an interface of this host, or is a loopback one. */
    boolean isOwn(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return true;
        }
        Long found = own.get(address);
        long now = System.nanoTime();
        if (found != null && now - found < TRUST_NANOS) {
            return true;
        }
        if (isOnAnInterface(address)) {
            own.put(address, now); // of our own there are few
            return true;
        }
        own.remove(address);
        return false;
    }

    private static boolean isOnAnInterface(InetAddress address) {
        try {
            return !address.isAnyLocalAddress() && NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot tell whose address it is", e);
            return false;
        }
    }
}
