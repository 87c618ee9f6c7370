/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SettingsTest {
    @Test
    void shouldHaveDefaults() {
        Settings settings = Settings.from(new Properties());
        assertThat(settings.paths()).isEqualTo(RdmaPorts.anyActive() ? List.of("shm", "rdma", "tcp")
                : List.of("shm", "tcp"));
        assertThat(settings.rulesFile()).isEmpty();
        assertThat(settings.rule()).isEmpty();
        assertThat(settings.rememberNanos()).isEqualTo(60_000_000_000L);
        assertThat(settings.summary()).isFalse();
        assertThat(settings.ringBytes()).isEqualTo(256 * 1024);
        assertThat(settings.rings()).isEqualTo(new RingLimits(256 * 1024, 512 * 1024));
        assertThat(settings.spinNanos()).isEqualTo(50_000);
        assertThat(settings.handshakeNanos()).isEqualTo(2_000_000_000L);
        assertThat(settings.shmDirectory()).isEqualTo("/dev/shm");
        assertThat(settings.rdmaBinding()).isEqualTo("auto");
        assertThat(settings.rdmaImmediate()).isTrue();
        assertThat(settings.keepAliveNanos()).isEqualTo(7_200_000_000_000L);
        assertThat(settings.rdmaLinks()).isEqualTo(2);
    }

    @Test
    void shouldAskPeersBesideTcpOnlyWhereNobodyNamesPaths() {
        assertThat(Settings.from(new Properties()).asksBeside()).isTrue();
        assertThat(Settings.from(one("rsockets4j.paths", " auto ")).asksBeside()).isTrue();
        assertThat(Settings.from(one("rsockets4j.paths", "shm,rdma,tcp")).asksBeside()).isFalse();
        assertThat(Settings.allowTcp("paths=auto,nonsense", null)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"4: ACTIVE, true", "1: DOWN, false", "2: INIT, false"})
    void shouldFindAPortThatCanCarryBytes(String state, boolean active, @TempDir Path devices) throws IOException {
        assertThat(RdmaPorts.anyActive(devices.resolve("none").toFile())).isFalse();
        Files.createDirectories(devices.resolve("mlx5_0/ports/1"));
        Files.createDirectories(devices.resolve("mlx5_1/ports/1"));
        assertThat(RdmaPorts.anyActive(devices.toFile())).as("no file that says so").isFalse();
        Files.writeString(devices.resolve("mlx5_1/ports/1/state"), state + "\n");
        assertThat(RdmaPorts.anyActive(devices.toFile())).isEqualTo(active);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeItsOwnDefaultAsAValue(Setting setting) {
        assertThat(Settings.from(one(setting.property(), setting.defaultText()))).usingRecursiveComparison()
                .isEqualTo(Settings.from(new Properties()));
    }

    @Test
    void shouldReadEveryProperty() {
        Properties properties = new Properties();
        properties.setProperty("rsockets4j.paths", " tcp , shm ");
        properties.setProperty("rsockets4j.summary", "true");
        properties.setProperty("rsockets4j.ring.bytes", "8192");
        properties.setProperty("rsockets4j.spin.micros", "0");
        properties.setProperty("rsockets4j.handshake.millis", " 60000 ");
        properties.setProperty("rsockets4j.shm.dir", "/tmp");
        properties.setProperty("rsockets4j.rdma.binding", "ffm");
        properties.setProperty("rsockets4j.rdma.immediate", "false");
        properties.setProperty("rsockets4j.rdma.links", "1");
        Settings settings = Settings.from(properties);
        assertThat(settings.paths()).containsExactly("tcp", "shm");
        assertThat(settings.summary()).isTrue();
        assertThat(settings.ringBytes()).isEqualTo(8192);
        assertThat(settings.spinNanos()).isZero();
        assertThat(settings.handshakeNanos()).isEqualTo(60_000_000_000L);
        assertThat(settings.shmDirectory()).isEqualTo("/tmp");
        assertThat(settings.rdmaBinding()).isEqualTo("ffm");
        assertThat(settings.rdmaImmediate()).isFalse();
        assertThat(settings.rdmaLinks()).isEqualTo(1);
    }

    @Test
    void shouldLeaveOtherPropertiesAlone() {
        assertThat(Settings.from(one("rsockets4jx.paths", "nonsense")).asksBeside()).isTrue();
    }

    @Test
    void shouldReadDefaultsOfProperties() {
        assertThat(Settings.from(new Properties(one("rsockets4j.paths", "shm"))).paths()).containsExactly("shm");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "paths           | shm,rdmx     | there is no path 'rdmx'            | auto, or some of shm, rdma, tcp",
        "paths           | \"\"         | there is no path ''                | auto, or some of shm, rdma, tcp",
        "paths           | shm,shm      | a path is named twice              | auto, or some of shm, rdma, tcp",
        "summary         | yes          | it is neither true nor false       | true or false",
        "summary         | TRUE         | it is neither true nor false       | true or false",
        "ring.bytes      | 4096         | it is outside 8192 to 268435456    | a power of two from 8192 to 268435456",
        "ring.bytes      | 536870912    | it is outside 8192 to 268435456    | a power of two from 8192 to 268435456",
        "ring.bytes      | 262145       | it is not a power of two           | a power of two from 8192 to 268435456",
        "ring.bytes      | 256k         | it is not a whole number           | a power of two from 8192 to 268435456",
        "spin.micros     | -1           | it is outside 0 to 100000          | 0 to 100000",
        "spin.micros     | 100001       | it is outside 0 to 100000          | 0 to 100000",
        "spin.micros     | 1.5          | it is not a whole number           | 0 to 100000",
        "spin.micros     | 99999999999999999999 | it is not a whole number   | 0 to 100000",
        "handshake.millis| 0            | it is outside 1 to 60000           | 1 to 60000",
        "handshake.millis| \"\"         | it is not a whole number           | 1 to 60000",
        "remember.seconds| 86401        | it is outside 0 to 86400           | 0 to 86400",
        "rdma.links      | 0            | it is outside 1 to 2               | 1 or 2",
        "rdma.links      | 3            | it is outside 1 to 2               | 1 or 2",
        "log             | loud       | there is no such level             | warning, info, debug",
        "shm.dir         | \" \"        | it is empty                        | a directory in memory",
    })
    void shouldNameKeyValueCauseAndRangeOfWhatItCannotParse(String key, String value, String cause, String range) {
        assertThatThrownBy(() -> Settings.from(one("rsockets4j." + key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rsockets4j: cannot use rsockets4j." + key + "=" + value + ": " + cause + "; allowed: "
                        + range);
    }

    @ParameterizedTest
    @CsvSource({"path, paths", "ringbytes, ring.bytes", "spin.nanos, spin.micros", "shm.directory, shm.dir",
        "Summary, summary"})
    void shouldSuggestTheKeyThatWasMeant(String wrong, String meant) {
        assertThatThrownBy(() -> Settings.from(one("rsockets4j." + wrong, "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rsockets4j: unknown setting '" + wrong + "'; did you mean '" + meant + "'? Known are: "
                        + "paths, rules, rule, remember.seconds, summary, log, ring.bytes, ring.max.bytes, "
                        + "spin.micros, handshake.millis, keepalive.seconds, rdma.binding, rdma.immediate, "
                        + "direct.min.bytes, direct.registered.min.bytes, direct.only, rdma.max.bytes, rdma.links, "
                        + "shm.dir, shm.across.namespaces, shm.max.bytes");
        assertThatThrownBy(() -> Settings.parseArguments("paths=shm," + wrong + "=1"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("did you mean '" + meant + "'?");
    }

    @Test
    void shouldSplitArgumentsWithListsIntoProperties() {
        assertThat(Settings.parseArguments("paths=shm,tcp,summary=true")).containsExactly(
                entry("rsockets4j.paths", "shm,tcp"), entry("rsockets4j.summary", "true"));
    }

    @Test
    void shouldKeepEqualSignsOfValuesAndStripKeys() {
        assertThat(Settings.parseArguments(" shm.dir=/a=b, summary=false")).containsExactly(
                entry("rsockets4j.shm.dir", "/a=b"), entry("rsockets4j.summary", "false"));
    }

    @Test
    void shouldTakeTheLastOfEqualKeys() {
        assertThat(Settings.parseArguments("paths=shm,tcp,paths=tcp")).containsExactly(
                entry("rsockets4j.paths", "tcp"));
    }

    @Test
    void shouldTakeNoArguments() {
        assertThat(Settings.parseArguments(null)).isEmpty();
        assertThat(Settings.parseArguments(" ")).isEmpty();
    }

    @Test
    void shouldRefuseAValueWithoutAKey() {
        assertThatThrownBy(() -> Settings.parseArguments("summary"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rsockets4j: 'summary' is not of the form key=value");
    }

    private static Properties one(String name, String value) {
        Properties properties = new Properties();
        properties.setProperty(name, value);
        return properties;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "                         |         | true",
        "                         | shm     | false",
        "summery=true             | shm,tcp | true",
        "summery=true             | shm     | false",
        "paths=shm, tcp,summery=1 | shm     | true",
        "paths=shm,udp            | shm,tcp | false",
        "x, paths = rdma,paths=ud | tcp     | false"})
    void shouldTellWhetherTcpMayServeWhereSettingsAreWrong(String arguments, String property, boolean may) {
        assertThat(Settings.allowTcp(arguments, property)).isEqualTo(may);
    }
}
