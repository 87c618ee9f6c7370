/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks whether the kernel's side of the verbs is there, before a library fails with less to say. */
final class UverbsFiles {
    private static final Path DIRECTORY = Path.of("/dev/infiniband");

    private UverbsFiles() { }

    /**
     * Looks for the connection manager's device file, and for that of some RDMA device.
     *
     * @throws VerbsUnavailableException if one is missing or may not be opened
     */
    static void check() throws VerbsUnavailableException {
        check(DIRECTORY);
    }

    /** Looks in a directory. */
    static void check(Path directory) throws VerbsUnavailableException {
        checkAccess(directory.resolve("rdma_cm"), "load the kernel's module: modprobe rdma_ucm");
        Path device = null;
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(directory, "uverbs*")) {
            for (Path found : devices) {
                device = device == null || Files.isWritable(found) ? found : device;
            }
        } catch (IOException e) {
            throw new VerbsUnavailableException(directory + " cannot be read: " + e, e);
        }
        checkAccess(device == null ? directory.resolve("uverbs0") : device,
                "load the device's driver and the module ib_uverbs");
    }

    private static void checkAccess(Path file, String fix) throws VerbsUnavailableException {
        if (!Files.exists(file)) {
            throw new VerbsUnavailableException(file + " is missing: " + fix
                    + "; or give the container the device files in " + file.getParent());
        }
        if (!Files.isReadable(file) || !Files.isWritable(file)) {
            throw new VerbsUnavailableException("no permission to open " + file + " as user "
                    + System.getProperty("user.name") + ": its owner or mode must allow it, in many distributions by"
                    + " membership of the group rdma");
        }
    }
}
