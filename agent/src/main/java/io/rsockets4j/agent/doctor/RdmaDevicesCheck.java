/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's RDMA devices: the state of each port, and the addresses (GIDs) that it has.
 *
 * @param host its files
 * @param rdmaWanted whether a lack of RDMA matters
 */
record RdmaDevicesCheck(Host host, boolean rdmaWanted) implements Check {
    private static final String SUBJECT = "rdma device";
    private static final String DEVICES = "/sys/class/infiniband";
    private static final String ACTIVE = "ACTIVE";

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
                findings.addAll(port(device, port));
            }
        }
        if (findings.isEmpty()) {
            findings.add(Finding.lack(rdmaWanted, SUBJECT, devices.get(0).getFileName() + " has no port that can be"
                    + " seen", "In a container /sys may be another's.", "ls -R " + DEVICES));
        }
        return findings;
    }

    private List<Finding> port(Path device, Path port) {
        String name = device.getFileName() + "/" + port.getFileName();
        GidTable gids = GidTable.read(host, device, port);
        List<Finding> findings = new ArrayList<>();
        findings.add(state(name, Host.text(port.resolve("state")), gids.size()));
        gids.lines().forEach(line -> findings.add(Finding.ok(SUBJECT, name + "  " + line)));
        return findings;
    }

    private Finding state(String name, String state, int gids) { // state is "4: ACTIVE"
        String found = name + " is " + (state.isEmpty() ? "in an unknown state" : state) + ", with " + gids + " GIDs";
        if (!state.contains(ACTIVE)) {
            return Finding.lack(rdmaWanted, SUBJECT, found, "A port carries connections only when it is active.",
                    "ip link set DEV up  # DEV as in: rdma link show " + name);
        }
        if (gids == 0) {
            return Finding.lack(rdmaWanted, SUBJECT, found, "Without a GID nobody can address the port.",
                    "ip addr add ADDRESS dev DEV  # DEV as in: rdma link show " + name);
        }
        return Finding.ok(SUBJECT, found);
    }
}
