/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel's files tell of an RDMA device, since DiSNI tells nothing.
 *
 * @param name for example {@code mlx5_0}, or {@code unknown}
 * @param channelAdapter whether it is one of InfiniBand or RoCE rather than an iWARP one; false if not known
 */
record DeviceFiles(String name, boolean channelAdapter) {
    private static final String CHANNEL_ADAPTER = "1:"; // "1: CA", as opposed to "4: RNIC"

    /** Follows an open descriptor of /dev/infiniband/uverbs*. */
    static DeviceFiles ofDescriptor(int descriptor) {
        return of(Path.of("/proc/self/fd", Integer.toString(descriptor)), Path.of("/sys/class"));
    }

    /**
     * Follows a link to /dev/infiniband/uverbs*.
     *
     * @param link to the device's special file
     * @param classes as /sys/class
     */
    static DeviceFiles of(Path link, Path classes) {
        try {
            Path special = Files.readSymbolicLink(link).getFileName();
            String name = Files.readString(classes.resolve("infiniband_verbs").resolve(special).resolve("ibdev"))
                    .strip();
            String type = Files.readString(classes.resolve("infiniband").resolve(name).resolve("node_type"));
            return new DeviceFiles(name, type.startsWith(CHANNEL_ADAPTER));
        } catch (IOException e) { // as in a container without /sys: a send follows each write; any device can that
            return new DeviceFiles("unknown", false);
        }
    }
}
