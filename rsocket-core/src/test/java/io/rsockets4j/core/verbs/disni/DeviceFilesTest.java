/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceFilesTest {
    @TempDir
    private Path directory;

    private Path link;

    @BeforeEach
    void openDevice() throws IOException {
        link = Files.createSymbolicLink(directory.resolve("7"), Path.of("/dev/infiniband/uverbs3"));
    }

    private void describe(String name, String nodeType) throws IOException {
        Path special = Files.createDirectories(directory.resolve("infiniband_verbs/uverbs3"));
        Files.writeString(special.resolve("ibdev"), name + "\n");
        Path device = Files.createDirectories(directory.resolve("infiniband").resolve(name));
        Files.writeString(device.resolve("node_type"), nodeType + "\n");
    }

    @Test
    void shouldTellInfinibandAndRoce() throws IOException {
        describe("mlx5_0", "1: CA");
        assertThat(DeviceFiles.of(link, directory)).isEqualTo(new DeviceFiles("mlx5_0", true));
    }

    @Test
    void shouldTellIwarp() throws IOException {
        describe("siw0", "4: RNIC");
        assertThat(DeviceFiles.of(link, directory)).isEqualTo(new DeviceFiles("siw0", false));
    }

    @Test
    void shouldSupposeNothingWhereTheKernelTellsNothing() {
        assertThat(DeviceFiles.of(link, directory)).isEqualTo(new DeviceFiles("unknown", false));
        assertThat(DeviceFiles.of(directory.resolve("8"), directory)).isEqualTo(new DeviceFiles("unknown", false));
    }
}
