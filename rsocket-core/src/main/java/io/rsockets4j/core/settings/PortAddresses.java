/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import java.io.File;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the IP addresses of RDMA ports. Not part of {@link RdmaPorts}, which each program loads at its start. What
 * vanishes meanwhile has no addresses.
 */
public final class PortAddresses {
    private final Function<String, Map<InetAddress, Integer>> interfaces;
    private final Map<InetAddress, PortAddress> found = new LinkedHashMap<>();

    private PortAddresses(Function<String, Map<InetAddress, Integer>> interfaces) {
        this.interfaces = interfaces;
    }

    /**
     * The IP addresses of this host that active ports have, each once, without link-local and loopback ones. Reads some
     * ten files for each port and address. Any thread.
     *
     * @return in order of devices and ports; perhaps none
     */
    public static List<PortAddress> all() {
        return find(new File(RdmaPorts.DEVICES), PortAddresses::ofInterface);
    }

    /**
     * Those of all active ports, in order of devices and ports.
     *
     * @param devices directory with a directory for each device
     * @param interfaces tells the addresses of a network interface and the lengths of their prefixes
     */
    static List<PortAddress> find(File devices, Function<String, Map<InetAddress, Integer>> interfaces) {
        PortAddresses addresses = new PortAddresses(interfaces);
        for (File device : RdmaPorts.children(devices)) {
            for (File port : RdmaPorts.children(new File(device, "ports"))) {
                if (RdmaPorts.isActive(port)) {
                    addresses.addPort(device, port);
                }
            }
        }
        return new ArrayList<>(addresses.found.values());
    }

    private void addPort(File device, File port) {
        int number;
        try {
            number = Integer.parseInt(port.getName());
        } catch (NumberFormatException e) {
            return; // no port
        }
        Path devicePath = device.toPath();
        Path portPath = port.toPath();
        List<Gid> gids = Gid.read(devicePath, portPath);
        boolean roce = Gid.withoutUdp(devicePath, portPath).equals(Gid.ROCE_V1);
        Set<String> names = interfacesOf(device, number);
        for (Gid gid : gids) {
            if (!gid.netdev().isEmpty()) {
                names.add(gid.netdev());
            }
        }
        for (String name : names) {
            for (Map.Entry<InetAddress, Integer> entry : interfaces.apply(name).entrySet()) {
                InetAddress address = withoutScope(entry.getKey());
                if (isUsable(address) && (!roce || hasGid(gids, name, address))) {
                    found.putIfAbsent(address, new PortAddress(device.getName(), number, address, entry.getValue()));
                }
            }
        }
    }

    /**
     * The interfaces on a device, which GIDs do not name over InfiniBand, and over iWARP before Linux 6.6. A device
     * with two ports has interfaces of both, which count their ports from 0.
     */
    private static Set<String> interfacesOf(File device, int port) {
        Set<String> names = new LinkedHashSet<>();
        for (File netdev : RdmaPorts.children(new File(device, "device/net"))) {
            String itsPort = RdmaPorts.text(new File(netdev, "dev_port").toPath());
            if (itsPort.isEmpty() || itsPort.equals(Integer.toString(port - 1))) {
                names.add(netdev.getName());
            }
        }
        return names;
    }

    /**
     * Whether a RoCE port has an address. The kernel makes a GID of each of them, and names interfaces of other network
     * namespaces too: one of the same name here may have nothing to do with the port.
     */
    private static boolean hasGid(List<Gid> gids, String netdev, InetAddress address) {
        for (Gid gid : gids) {
            if (gid.netdev().equals(netdev) && address.equals(gid.address())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUsable(InetAddress address) {
        return !address.isLinkLocalAddress() && !address.isLoopbackAddress() && !address.isMulticastAddress()
                && !address.isAnyLocalAddress();
    }

    /** Java gives each IPv6 address the scope of its interface, which only a link-local one needs. */
    private static InetAddress withoutScope(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
            throw new AssertionError("the length of an address is right", e);
        }
    }

    /** The addresses of an interface of this network namespace. */
    static Map<InetAddress, Integer> ofInterface(String name) {
        Map<InetAddress, Integer> addresses = new LinkedHashMap<>();
        try {
            NetworkInterface found = NetworkInterface.getByName(name);
            if (found != null) {
                for (InterfaceAddress address : found.getInterfaceAddresses()) {
                    addresses.put(address.getAddress(), (int) address.getNetworkPrefixLength());
                }
            }
        } catch (SocketException e) {
            return Map.of(); // it has just gone
        }
        return addresses;
    }
}
