/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of a host, below a root.
 *
 * @param root {@code /}, or a directory that stands for it
 */
record Host(Path root) {

    /** A file or directory by its absolute path. */
    Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    /** The entries of a directory in order of their names; none where it is not there or must not be read. */
    List<Path> list(String absolute) {
        return list(path(absolute));
    }

    static List<Path> list(Path directory) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (IOException e) {
            return List.of();
        }
        entries.sort(null);
        return entries;
    }

    /** The text of a small file without the space around it; empty where it cannot be read. */
    static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether the host has an RDMA device. */
    boolean hasRdmaDevice() {
        return !list("/sys/class/infiniband").isEmpty();
    }
}
