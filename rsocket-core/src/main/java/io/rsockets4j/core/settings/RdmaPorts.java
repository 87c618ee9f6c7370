/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The RDMA devices of this host and their ports, as the kernel shows them in files. Loads no library. */
public final class RdmaPorts {
    /** Where the kernel shows devices; see its Documentation/ABI/stable/sysfs-class-infiniband. */
    public static final String DEVICES = "/sys/class/infiniband";

    private RdmaPorts() { }

    /**
     * Whether there is a device, in whichever state.
     *
     * @return false on a host without one
     */
    public static boolean anyDevice() {
        return children(new File(DEVICES)).length > 0;
    }

    /**
     * Whether there is a port that can carry bytes now. Reads some files where there is a device.
     *
     * @return false on a host without a device, or whose links are down
     */
    public static boolean anyActive() {
        return anyActive(new File(DEVICES));
    }

    static boolean anyActive(File devices) {
        for (File device : children(devices)) {
            for (File port : children(new File(device, "ports"))) {
                if (isActive(port)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What is in a directory, in order of names; nothing where it cannot be read. */
    static File[] children(File directory) {
        File[] children = directory.listFiles();
        if (children == null) {
            return new File[0];
        }
        Arrays.sort(children);
        return children;
    }

    static boolean isActive(File port) {
        return text(new File(port, "state").toPath()).contains("ACTIVE"); // "4: ACTIVE"
    }

    /** The text of a small file without the space around it; empty where it cannot be read. */
    static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return ""; // it has just gone, says nothing now, or is not for this process to see
        }
    }
}
