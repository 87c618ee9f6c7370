/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose ports are whose, in tables as Linux writes them. */
class PortOwnersTest {
    private static final int SELF = 1000;
    private static final String TCP = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 3500007F:0035 00000000:0000 0A 00000000:00000000 00:00000000 00000000   101        0 21093 1 0 100
               1: 00000000:1538 00000000:0000 0A 00000000:00000000 00:00000000 00000000   999        0 21094 1 0 100
               2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 21095 1 0 100
               3: 0100007F:0016 0100007F:9C40 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
               4: 0100007F:9C41 0100007F:0050 01 00000000:00000000 00:00000000 00000000   999        0 21096 1 0
            """;
    private static final String TCP6 = """
              sl  local_address                         remote_address                        st tx_queue rx_queue
               0: 00000000000000000000000000000000:0CEA 00000000000000000000000000000000:0000 0A 0:0 0:0 0 999 0 7 1
               1: 00000000000000000000000001000000:0019 00000000000000000000000000000000:0000 0A 0:0 0:0 0 998 0 8 1
               2: 0000000000000000FFFF00000100007F:006E 00000000000000000000000000000000:0000 01 0:0 0:0 0 998 0 9 1
               3: 0000
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(directory.resolve("tcp"), TCP);
        Files.writeString(directory.resolve("tcp6"), TCP6);
        Files.writeString(directory.resolve("range"), "32768\t60999\n");
    }

    private PortOwners owners() {
        return new PortOwners(directory.toString(), directory.resolve("range").toString(), SELF);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.53, 53, false", "127.0.0.1, 53, true", "127.0.0.1, 5432, false", "::1, 5432, true",
        "127.0.0.1, 8080, true", "127.0.0.1, 22, true", "127.0.0.1, 40001, true", "127.0.0.1, 3306, false",
        "::1, 3306, false", "::1, 25, false", "127.0.0.1, 25, true", "127.0.0.1, 110, false", "127.0.0.2, 110, true",
        "127.0.0.1, 1, true", "127.0.0.1, 0, false", "127.0.0.1, -1, false", "127.0.0.1, 65536, false"})
    void shouldTellPortsOfOthers(String address, int port, boolean maybeOurs) throws IOException {
        assertThat(owners().mayBeOurs(InetAddress.getByName(address), port)).isEqualTo(maybeOurs);
    }

    @Test
    void shouldLookUpAllPortsWhereTheRangeCannotBeRead() throws IOException {
        Files.delete(directory.resolve("range"));
        assertThat(owners().mayBeOurs(InetAddress.getByName("127.0.0.1"), 40_001)).isFalse();
    }

    @Test
    void shouldBelieveWhereNothingCanBeRead() throws IOException {
        Files.delete(directory.resolve("tcp"));
        Files.writeString(directory.resolve("tcp6"), "x\n 0: 1:zz a b c d e f g h i\n");
        assertThat(owners().mayBeOurs(InetAddress.getByName("127.0.0.1"), 5432)).isTrue();
    }
}
