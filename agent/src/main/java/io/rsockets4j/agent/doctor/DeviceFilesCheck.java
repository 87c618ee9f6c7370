/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The special files by which programs reach RDMA devices. Says nothing where there is neither a device nor a file.
 *
 * @param host its files
 * @param rdmaWanted whether a lack of RDMA matters
 */
record DeviceFilesCheck(Host host, boolean rdmaWanted) implements Check {
    private static final String DIRECTORY = "/dev/infiniband";
    private static final String CONNECTION_MANAGER = "rdma_cm";
    private static final String VERBS = "uverbs";

    @Override
    public List<Finding> run() {
        List<Path> files = host.list(DIRECTORY).stream().filter(DeviceFilesCheck::isNeeded).toList();
        List<Finding> findings = new ArrayList<>();
        for (Path file : files) {
            boolean open = Files.isReadable(file) && Files.isWritable(file);
            String name = DIRECTORY + "/" + file.getFileName();
            findings.add(open ? Finding.ok(DIRECTORY, name + " may be opened")
                    : Finding.lack(rdmaWanted, DIRECTORY, name + " may not be opened by this user",
                    "Path rdma needs to read and write it.", "chmod a+rw " + name));
        }
        if (host.hasRdmaDevice() && files.stream().noneMatch(file -> file.getFileName().toString().startsWith(VERBS))) {
            findings.add(Finding.lack(rdmaWanted, DIRECTORY, "there is no " + DIRECTORY + "/" + VERBS + "*",
                    "This process cannot reach the device; a container needs to get it.",
                    "modprobe ib_uverbs  # in Docker: --device=" + DIRECTORY));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(DIRECTORY, "not needed without a device"));
        }
        return findings;
    }

    private static boolean isNeeded(Path file) {
        String name = file.getFileName().toString();
        return name.equals(CONNECTION_MANAGER) || name.startsWith(VERBS);
    }
}
