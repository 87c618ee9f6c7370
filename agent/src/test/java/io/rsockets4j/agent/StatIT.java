/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The finished jar shows the connections of another JVM. */
class StatIT {
    private static final String PROGRAM = "io.rsockets4j.agent.programs.HeldConnection";

    @TempDir
    private Path memory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"paths=shm | shm", "paths=shm,tcp,rule=connect * * deny shm | tcp"})
    void shouldShowBothEndsOfAConnection(String arguments, String path) throws Exception {
        try (ForkedJvm program = start(arguments)) {
            String report = stat(2).out();
            assertThat(report).contains("\"program\":\"" + PROGRAM + "\"", "\"pid\":" + program.pid(),
                    "\"direction\":\"connect\"", "\"direction\":\"accept\"", "\"connections\":{\"" + path + "\":2}");
            String bytes = path.equals("shm") ? "\"totals\":{\"processes\":1,\"connections\":{\"shm\":2},"
                    + "\"bytesSent\":8,\"bytesReceived\":8,"
                    + "\"directBytesSent\":0,\"directBytesReceived\":0}" : "\"bytesSent\":0";
            assertThat(report).contains(bytes);
            assertThat(report).containsPattern("\"served\":\"rsockets4j [^\"]*, "
                    + (path.equals("shm") ? "paths=shm\"" : "paths=shm,tcp, rules: 1\""));
        }
    }

    @Test
    void shouldForgetAJvmThatWasKilled() throws Exception {
        try (ForkedJvm program = start("paths=shm")) {
            assertThat(stat(2).out()).contains("\"processes\":1");
            program.kill();
        }
        assertThat(stat(0).out()).contains("\"connections\":[]", "\"processes\":0");
    }

    @Test
    void shouldSayWhenItLookedWhereItLooksAgainAndAgain() throws Exception {
        try (ForkedJvm stat = ForkedJvm.start("-Drsockets4j.shm.dir=" + memory, "-jar",
                System.getProperty("jar.under.test"), "stat", "--watch=1")) {
            List<LocalTime> times = new ArrayList<>();
            for (String line = stat.line(); line != null && times.size() < 2; line = stat.line()) {
                if (line.matches("\\d\\d:\\d\\d:\\d\\d")) {
                    times.add(LocalTime.parse(line));
                }
            }
            assertThat(times).hasSize(2).doesNotHaveDuplicates();
        }
    }

    private ForkedJvm start(String arguments) throws Exception {
        ForkedJvm program = ForkedJvm.start(ForkedJvm.agent(arguments + ",shm.dir=" + memory), PROGRAM);
        assertThat(program.line()).isEqualTo("ready");
        return program;
    }

    /** Asks until a number of connection ends is seen: the other JVM begins to answer a little after its start. */
    private ForkedJvm.Result stat(int ends) throws Exception {
        for (int tries = 0; tries < 10; tries++) {
            ForkedJvm.Result result = ForkedJvm.run("-Drsockets4j.shm.dir=" + memory, "-jar",
                    System.getProperty("jar.under.test"), "stat", "--json");
            assertThat(result.exit()).as(result.err()).isZero();
            if (result.out().split("\"direction\"", -1).length - 1 == ends) {
                return result;
            }
        }
        throw new AssertionError("there are never " + ends + " connection ends");
    }
}
