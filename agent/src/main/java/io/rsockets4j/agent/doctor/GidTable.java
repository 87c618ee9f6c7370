/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import io.rsockets4j.agent.report.Table;
import io.rsockets4j.core.settings.Gid;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * The addresses (GIDs) of a device's port: of which type, on which network device, and which ones connections use. The
 * kernel's connection manager takes the GID that has a connection's own address, and of those with the same address the
 * one of the port's default type: RoCE v2 where the device knows it, unless somebody has configured v1.
 */
final class GidTable {
    private final List<Gid> gids;
    private final String defaultType;

    private GidTable(List<Gid> gids, String configured) {
        this.gids = gids;
        String best = gids.stream().anyMatch(gid -> gid.type().equals(Gid.ROCE_V2)) ? Gid.ROCE_V2 : Gid.ROCE_V1;
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
        Path configured = host.path("/sys/kernel/config/rdma_cm/" + device.getFileName() + "/ports/"
                + port.getFileName() + "/default_roce_mode");
        return new GidTable(Gid.read(device, port), Gid.readable(Host.text(configured), Gid.ROCE_V1));
    }

    int size() {
        return gids.size();
    }

    /** A line for each GID, in columns. */
    List<String> lines() {
        Table table = new Table();
        gids.forEach(gid -> table.add("GID " + gid.index(), gid.type().isEmpty() ? "unknown type" : gid.type(),
                gid.netdev().isEmpty() ? "-" : gid.netdev(), address(gid), use(gid)));
        return table.lines();
    }

    private String use(Gid gid) {
        if (!gid.type().equals(Gid.ROCE_V1) && !gid.type().equals(Gid.ROCE_V2)) {
            return ""; // no choice by types
        } else if (!gid.type().equals(defaultType)) {
            return "not used, as " + defaultType + " is";
        }
        InetAddress address = gid.address();
        return address != null && address.isLinkLocalAddress() ? "used only from that link-local address" : "used";
    }

    private static String address(Gid gid) {
        InetAddress address = gid.address();
        return address == null ? gid.raw() : address.getHostAddress();
    }
}
