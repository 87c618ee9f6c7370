/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.rsockets4j.core.bell.BellPage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a file holds that says who listens: a listener, or a refusal that names the file. */
class ListenerEntryFuzzTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 7);

    @TempDir
    private static Path directory;
    private static Rendezvous rendezvous;
    private static Path file;

    @BeforeAll
    static void publish() throws IOException {
        rendezvous = Rendezvous.open(directory.toString(), false);
        file = rendezvous.publish(ADDRESS, false, new Rendezvous.Entry("", 0, 1, 0), true);
    }

    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) throws IOException {
        Files.write(file, data);
        Rendezvous.Entry entry;
        try {
            entry = rendezvous.lookUp(ADDRESS);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(file.toString());
            return;
        }
        assertThat(Rendezvous.isName(entry.endpoint(), ".endpoint")).isTrue();
        assertThat(entry.listener()).isBetween(0, BellPage.LISTENERS - 1);
        assertThat(entry.generation()).isNotNegative();
        assertThat(entry.receiveBytes()).isNotNegative();
    }
}
