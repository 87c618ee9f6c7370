/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's RDMA devices: the state of each port, and the addresses (GIDs) it answers to.
 *
 * @param host its files
 * @param rdmaWanted whether a lack of RDMA matters
 */
record RdmaDevicesCheck(Host host, boolean rdmaWanted) implements Check {
    private static final String SUBJECT = "rdma device";
    private static final String DEVICES = "/sys/class/infiniband";
    private static final String ACTIVE = "ACTIVE";
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

    @Override
    public List<Finding> run() {
        List<Path> devices = host.list(DEVICES);
        if (devices.isEmpty()) {
            return List.of(Finding.lack(rdmaWanted, SUBJECT, "none: nothing is in " + DEVICES,
                    "Path rdma is not possible on this host.",
                    "rdma link add rxe0 type rxe netdev eth0  # in software; a card needs its driver"));
        }
        List<Finding> findings = new ArrayList<>();
        for (Path device : devices) {
            for (Path port : Host.list(device.resolve("ports"))) {
                findings.add(port(device.getFileName() + "/" + port.getFileName(), port));
            }
        }
        if (findings.isEmpty()) {
            findings.add(Finding.lack(rdmaWanted, SUBJECT, devices.get(0).getFileName() + " has no port that can be"
                    + " seen", "In a container /sys may be another's.", "ls -R " + DEVICES));
        }
        return findings;
    }

    private Finding port(String name, Path port) {
        String state = Host.text(port.resolve("state")); // "4: ACTIVE"
        List<String> gids = Host.list(port.resolve("gids")).stream().map(Host::text)
                .filter(gid -> !gid.isEmpty() && !gid.equals(NO_GID)).toList();
        String found = name + " is " + (state.isEmpty() ? "in an unknown state" : state) + ", GIDs " + gids;
        if (!state.contains(ACTIVE)) {
            return Finding.lack(rdmaWanted, SUBJECT, found, "A port carries connections only when it is active.",
                    "ip link set DEV up  # DEV as in: rdma link show " + name);
        }
        if (gids.isEmpty()) {
            return Finding.lack(rdmaWanted, SUBJECT, found, "Without a GID nobody can address the port.",
                    "ip addr add ADDRESS dev DEV  # DEV as in: rdma link show " + name);
        }
        return Finding.ok(SUBJECT, found);
    }
}
