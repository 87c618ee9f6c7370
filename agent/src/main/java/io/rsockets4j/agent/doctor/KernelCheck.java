/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.nio.file.Files;
import java.util.List;

/**
 * The operating system, and its kernel's module for RDMA connections.
 *
 * @param host its files
 * @param rdmaWanted whether a lack of RDMA matters
 */
record KernelCheck(Host host, boolean rdmaWanted) implements Check {
    private static final String SUBJECT = "kernel";
    private static final String MODULE = "rdma_ucm";

    @Override
    public List<Finding> run() {
        String release = Host.text(host.path("/proc/sys/kernel/osrelease"));
        if (release.isEmpty()) {
            return List.of(Finding.error(SUBJECT, "no Linux kernel: /proc/sys/kernel/osrelease cannot be read",
                    "Paths shm and rdma need Linux; everything goes by TCP.", "mount -t proc proc /proc"));
        }
        return List.of(Finding.ok(SUBJECT, "Linux " + release), module());
    }

    private Finding module() {
        if (Files.exists(host.path("/sys/module/" + MODULE)) || Files.exists(host.path("/dev/infiniband/rdma_cm"))) {
            return Finding.ok(MODULE, "loaded");
        }
        return Finding.lack(rdmaWanted, MODULE, "not loaded", "Path rdma cannot make connections without it.",
                "modprobe " + MODULE);
    }
}
