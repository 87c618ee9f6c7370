/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which addresses are this host's, in this network namespace. Thread-safe; asks the kernel once a second at most. */
public final class HostAddresses {
    private static final Log LOG = Log.of(HostAddresses.class);
    private static final long TRUST_NANOS = 1_000_000_000;

    private final Map<InetAddress, Long> own = new ConcurrentHashMap<>(); // when each was last found

    /** Creates one that has asked nothing yet. */
    public HostAddresses() { }

    /**
     * Whether an address belongs to an interface of this host, or is a loopback one.
     *
     * @param address which
     * @return as of a second ago at most
     */
    public boolean isOwn(InetAddress address) {
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

    /**
     * Whether a process of another network namespace may have an address, as far as can be told from here: it means one
     * thing on every host of the network, and is none of ours.
     *
     * @param address which
     * @return as of a second ago at most
     */
    public boolean mayBeAcross(InetAddress address) {
        return isRoutable(address) && !isOwn(address);
    }

    /**
     * Whether an address may mean one place in several network namespaces.
     *
     * @param address which
     * @return false for loopback, link-local, multicast and wildcard ones
     */
    public static boolean isRoutable(InetAddress address) {
        boolean scoped = address instanceof Inet6Address v6 && v6.getScopeId() != 0; // also of what is mapped IPv4
        return !scoped && !address.isAnyLocalAddress() && !address.isLoopbackAddress()
                && !address.isLinkLocalAddress() && !address.isMulticastAddress();
    }

    /**
     * The addresses at which other network namespaces may reach a listener.
     *
     * @param bound the listener's address
     * @param ipv4Only whether a wildcard means IPv4 alone
     * @return perhaps none
     * @throws SocketException if the kernel does not tell
     */
    public static List<InetAddress> routable(InetAddress bound, boolean ipv4Only) throws SocketException {
        List<InetAddress> found = new ArrayList<>();
        if (!bound.isAnyLocalAddress()) {
            addRoutable(bound, found);
            return found;
        }
        Enumeration<NetworkInterface> interfaces = NetworkInterface.getNetworkInterfaces();
        while (interfaces.hasMoreElements()) {
            Enumeration<InetAddress> addresses = interfaces.nextElement().getInetAddresses();
            while (addresses.hasMoreElements()) {
                InetAddress address = addresses.nextElement();
                if (!ipv4Only || address instanceof Inet4Address) {
                    addRoutable(address, found);
                }
            }
        }
        return found;
    }

    private static void addRoutable(InetAddress address, List<InetAddress> found) {
        if (!address.isLinkLocalAddress() && !address.isLoopbackAddress() && !address.isMulticastAddress()) {
            found.add(address);
        }
    }

    /**
     * The address from which TCP would connect. Sends nothing.
     *
     * @param remote where to
     * @return null where no way leads there
     */
    public static InetAddress sourceTo(InetSocketAddress remote) {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(remote);
            InetAddress source = probe.getLocalAddress();
            return source.isAnyLocalAddress() ? null : source;
        } catch (IOException | UncheckedIOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no way to " + remote, e);
            return null;
        }
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
