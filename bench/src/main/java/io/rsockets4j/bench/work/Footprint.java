/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the client's and the server's process use at one moment.
 *
 * @param client this process
 * @param server the other process
 * @param devShmBytes what is used of /dev/shm, by anyone
 */
record Footprint(ProcessUse client, ProcessUse server, long devShmBytes) {
    private static final Path DEV_SHM = Path.of("/dev/shm");

    /** Looks at this process and the server's. */
    static Footprint of(long serverPid) throws IOException {
        return new Footprint(ProcessUse.of(ownPid()), ProcessUse.of(serverPid), devShm());
    }

    /** CPU time of this process and the server's since they started. */
    static double cpuSeconds(long serverPid) throws IOException {
        return ProcessUse.cpuSeconds(ownPid()) + ProcessUse.cpuSeconds(serverPid);
    }

    /** Shared memory that either process has touched, a page that both have touched counted once. */
    long sharedBytes() {
        return client.sharedBytes() + server.sharedBytes();
    }

    /** Growth of the number of descriptors, in the process where it grew more. */
    int descriptorsSince(Footprint before) {
        return Math.max(
                client.descriptors() - before.client.descriptors(), server.descriptors() - before.server.descriptors());
    }

    private static long ownPid() {
        return ProcessHandle.current().pid();
    }

    private static long devShm() throws IOException {
        if (!Files.isDirectory(DEV_SHM)) {
            return 0;
        }
        FileStore store = Files.getFileStore(DEV_SHM);
        return store.getTotalSpace() - store.getUnallocatedSpace();
    }
}
