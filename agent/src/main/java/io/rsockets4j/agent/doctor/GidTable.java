/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import io.rsockets4j.agent.report.Table;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The addresses (GIDs) of a device's port: of which type, on which network device, and which ones connections use. The
 * kernel's connection manager takes the GID that has a connection's own address, and of those with the same address the
 * one of the port's default type: RoCE v2 where the device knows it, unless somebody has configured v1.
 */
final class GidTable {
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";
    private static final String V1 = "RoCE v1";
    private static final String V2 = "RoCE v2";

    private final List<Gid> gids;
    private final String defaultType;

    private GidTable(List<Gid> gids, String configured) {
        this.gids = gids;
        String best = gids.stream().anyMatch(gid -> gid.type.equals(V2)) ? V2 : V1;
        defaultType = configured.isEmpty() ? best : configured;
    }

    /**
     * Reads a table; what cannot be read is missing.
     *
     * @param host its files
     * @param device directory of the device
     * @param port directory of one of its ports
     */
    static GidTable read(Host host, Path device, Path port) {
        String other = Host.text(port.resolve("link_layer")).equals("InfiniBand") ? "InfiniBand"
                : Host.text(device.resolve("node_type")).endsWith("RNIC") ? "iWARP" : V1;
        List<Gid> gids = Host.list(port.resolve("gids")).stream()
                .map(file -> new Gid(file.getFileName().toString(), Host.text(file), type(port, file, other),
                        Host.text(port.resolve("gid_attrs/ndevs").resolve(file.getFileName()))))
                .filter(gid -> !gid.raw.isEmpty() && !gid.raw.equals(NO_GID))
                .sorted(Comparator.comparingInt((Gid gid) -> gid.index.length()).thenComparing(Gid::index)).toList();
        Path configured = host.path("/sys/kernel/config/rdma_cm/" + device.getFileName() + "/ports/"
                + port.getFileName() + "/default_roce_mode");
        return new GidTable(gids, readable(Host.text(configured), V1));
    }

    private static String type(Path port, Path gid, String other) {
        return readable(Host.text(port.resolve("gid_attrs/types").resolve(gid.getFileName())), other);
    }

    /** The kernel has one name for the types without UDP. */
    private static String readable(String kernels, String withoutUdp) {
        return kernels.equals("IB/RoCE v1") ? withoutUdp : kernels;
    }

    int size() {
        return gids.size();
    }

    /** A line for each GID, in columns. */
    List<String> lines() {
        Table table = new Table();
        gids.forEach(gid -> table.add("GID " + gid.index, gid.type.isEmpty() ? "unknown type" : gid.type,
                gid.netdev.isEmpty() ? "-" : gid.netdev, gid.address(), use(gid)));
        return table.lines();
    }

    private String use(Gid gid) {
        if (!gid.type.equals(V1) && !gid.type.equals(V2)) {
            return ""; // no choice by types
        } else if (!gid.type.equals(defaultType)) {
            return "not used, as " + defaultType + " is";
        }
        return gid.isLinkLocal() ? "used only from that link-local address" : "used";
    }

    /**
     * An entry of the table.
     *
     * @param index its number
     * @param raw as the kernel shows it
     * @param type for people; empty where it is not known
     * @param netdev the network device; empty where there is none
     */
    private record Gid(String index, String raw, String type, String netdev) {
        /** The IP address that it was made of, if it was; else itself. */
        String address() {
            InetAddress parsed = parsed();
            return parsed == null ? raw : parsed.getHostAddress();
        }

        boolean isLinkLocal() {
            InetAddress parsed = parsed();
            return parsed != null && parsed.isLinkLocalAddress();
        }

        private InetAddress parsed() {
            try {
                return raw.contains(":") ? InetAddress.getByName(raw) : null; // with a colon nobody is asked for a name
            } catch (UnknownHostException e) {
                return null; // no address
            }
        }
    }
}
