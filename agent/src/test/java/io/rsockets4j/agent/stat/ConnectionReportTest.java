/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.ProcessSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of connections. */
class ConnectionReportTest {
    private static final long NOW = 1_700_000_005_900L;

    @Test
    void shouldShowARowForEachConnectionAndTheirSums() {
        assertThat(report("0 preferred", "2 peer-choice").lines()).containsExactly(
                "PROGRAM  PID  LOCAL  REMOTE  PATH  REASON         SENT  RECEIVED  DIRECT   CREDIT  STALLS  AGE",
                "Main     7    /a:1   /b:2    shm   0 preferred    1000  2000      90%/99%  4096    3       5s",
                "Main     7    /a:1   /b:2    tcp   2 peer-choice  -     -         -        -       -       5s",
                "total: 1 processes, 2 connection ends {shm=1, tcp=1}, 1000 bytes sent, 2000 received");
    }

    @Test
    void shouldSayWhatToDoAboutEachReasonOnce() {
        assertThat(report("20 not-offered", "20 not-offered").lines()).hasSize(5)
                .endsWith("reason 20 not-offered: " + Reason.NOT_OFFERED.sentence() + " "
                        + Reason.NOT_OFFERED.advice());
        assertThat(report("1 rule", "20 not-offered").lines()).hasSize(6);
        assertThat(report("0 preferred", "99 of-a-later-version").lines()).hasSize(4);
    }

    @Test
    void shouldTellContainersApartWhoseProcessNumbersAreTheSame() {
        ConnectionSnapshot connection = new ConnectionSnapshot(1, "connect", "/a:1", "/b:2", "shm", "0 preferred", 1000,
                2000, 4096, 3, NOW - 5900, 900, 1999);
        ConnectionReport report = new ConnectionReport(List.of(
                new ProcessSnapshot(1, "Main", "web", "", List.of(connection), List.of()),
                new ProcessSnapshot(1, "Main", "db", "", List.of(connection), List.of())), NOW);
        assertThat(report.lines().get(0)).startsWith("PROGRAM  PID@HOST  LOCAL");
        assertThat(report.lines().get(1)).startsWith("Main     1@web     /a:1");
        assertThat(report.lines().get(2)).startsWith("Main     1@db      /a:1");
        assertThat(report.json()).contains("\"pid\":1,\"host\":\"web\"")
                .contains("\"bytesReceived\":2000,\"directBytesSent\":900,\"directBytesReceived\":1999,")
                .contains("\"bytesReceived\":4000,\"directBytesSent\":1800,\"directBytesReceived\":3998}");
    }

    @Test
    void shouldTellWhatServesEachProcess() {
        ConnectionReport report = new ConnectionReport(List.of(
                new ProcessSnapshot(7, "Main", "here", "rsockets4j 1, paths=shm,tcp", List.of(), List.of()),
                new ProcessSnapshot(8, "Old", "here", "", List.of(), List.of())), NOW);
        assertThat(report.lines()).endsWith("Main 7: rsockets4j 1, paths=shm,tcp");
        assertThat(report.json()).contains("\"processes\":[{\"program\":\"Main\",\"pid\":7,\"host\":\"here\","
                + "\"served\":\"rsockets4j 1, paths=shm,tcp\"},{\"program\":\"Old\",");
    }

    @Test
    void shouldSayThatThereIsNothingToSee() {
        ProcessSnapshot idle = new ProcessSnapshot(7, "Main", "here", "", List.of(), List.of());
        assertThat(new ConnectionReport(List.of(idle), NOW).lines())
                .endsWith("total: 1 processes, 0 connection ends, 0 bytes sent, 0 received");
        assertThat(new ConnectionReport(List.of(), NOW).lines()).endsWith(Report.NOBODY);
    }

    private static ConnectionReport report(String first, String second) {
        List<ConnectionSnapshot> connections = List.of(
                new ConnectionSnapshot(1, "connect", "/a:1", "/b:2", "shm", first, 1000, 2000, 4096, 3,
                        NOW - 5900, 900, 1999),
                new ConnectionSnapshot(2, "accept", "/a:1", "/b:2", "tcp", second, 0, 0, 0, 0, NOW - 5900, 0, 0));
        return new ConnectionReport(List.of(new ProcessSnapshot(7, "Main", "here", "", connections, List.of())), NOW);
    }
}
