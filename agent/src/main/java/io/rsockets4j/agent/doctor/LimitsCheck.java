/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import io.rsockets4j.core.host.ProcessLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * The limits of this process, which a program started from the same shell or service has too.
 *
 * @param host its files
 * @param rdmaWanted whether a lack of RDMA matters
 * @param ringBytes the size of a ring
 */
record LimitsCheck(Host host, boolean rdmaWanted, int ringBytes) implements Check {
    private static final String MEMLOCK = "memlock";
    private static final String NOFILE = "nofile";
    private static final long FEW_FILES = 4096;
    private static final int FEW_STREAMS = 50;
    private static final int CONNECTION_BYTES = 16 << 10;

    @Override
    public List<Finding> run() {
        try {
            String limits = Files.readString(host.path(ProcessLimits.LIMITS));
            return List.of(memlock(softLimit(limits, ProcessLimits.LOCKED_MEMORY)),
                    nofile(softLimit(limits, ProcessLimits.OPEN_FILES)));
        } catch (IOException e) {
            return List.of(Finding.warning("limits", ProcessLimits.LIMITS + " cannot be read: " + e.getMessage(),
                    "Limits on memory and files are not known.", "mount -t proc proc /proc"));
        }
    }

    private Finding memlock(long bytes) {
        if (mayLockAll()) {
            return Finding.ok(MEMLOCK, ProcessLimits.text(bytes) + " may be locked, but CAP_IPC_LOCK lifts that");
        }
        long streams = bytes / 2 / (2L * ringBytes); // larger rings take a half at most
        if (streams >= FEW_STREAMS) {
            return Finding.ok(MEMLOCK, ProcessLimits.text(bytes) + " may be locked");
        }
        return Finding.lack(rdmaWanted, MEMLOCK, ProcessLimits.text(bytes) + " may be locked", "Path rdma pins "
                + CONNECTION_BYTES + " bytes for each connection: room for " + bytes / CONNECTION_BYTES
                + ", and fewer where rings grow to " + ringBytes + " bytes: " + streams + " streams have such ones, "
                + "others are slow. Other paths pin nothing.",
                "ulimit -l unlimited  # in systemd: LimitMEMLOCK=infinity, in Docker: --ulimit memlock=-1");
    }

    private boolean mayLockAll() {
        return ProcessLimits.mayLockAll(Host.text(host.path(ProcessLimits.STATUS)).lines().toList());
    }

    private static Finding nofile(long files) {
        String found = ProcessLimits.text(files).replace(" bytes", "") + " open files";
        return files >= FEW_FILES ? Finding.ok(NOFILE, found)
                : Finding.warning(NOFILE, found, "Each connection holds a descriptor for its port; connects fail when"
                + " they run out.",
                "ulimit -n 65536  # in systemd: LimitNOFILE=65536, in Docker: --ulimit nofile=65536");
    }

    /** 0 where it is not told. */
    private static long softLimit(String limits, String name) {
        return Math.max(0, ProcessLimits.soft(limits, name));
    }
}
