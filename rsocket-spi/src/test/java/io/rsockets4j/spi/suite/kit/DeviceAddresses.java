/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Iterator;
import java.util.List;

/** The addresses of this machine that could be those of a device: not loopback, and good beyond one link. */
public final class DeviceAddresses {
    private DeviceAddresses() {
    }

    /** @return whether there are any */
    public static boolean exist() {
        return all().stream().anyMatch(Inet4Address.class::isInstance);
    }

    /** Lets the cases use them, unless system properties name others. To be called before {@link Machine} is used. */
    static void use(EngineProperties properties) {
        List<InetAddress> all = all();
        Iterator<InetAddress> four = all.stream().filter(Inet4Address.class::isInstance).iterator();
        Iterator<InetAddress> six = all.stream().filter(address -> !(address instanceof Inet4Address)).iterator();
        set(properties, "suite.address", four);
        set(properties, "suite.address.second", four);
        set(properties, "suite.address6", six);
    }

    private static List<InetAddress> all() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void set(EngineProperties properties, String property, Iterator<InetAddress> addresses) {
        if (System.getProperty(property) == null && addresses.hasNext()) {
            properties.set(property, addresses.next().getHostAddress().replaceAll("%.*", ""));
        }
    }
}
