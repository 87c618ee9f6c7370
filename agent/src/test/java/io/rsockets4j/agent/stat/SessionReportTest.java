/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.stat.ProcessSnapshot;
import io.rsockets4j.core.stat.SessionSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of sessions over RDMA. */
class SessionReportTest {
    private static final long NOW = 1_700_000_005_900L;
    private static final SessionSnapshot UP = new SessionSnapshot(2, "/10.0.0.1:40123", "/10.0.0.2:80", "mlx5_0", 1,
            3, "up", 12, 250, 6_356_993, NOW - 5900);
    private static final SessionSnapshot STANDBY = new SessionSnapshot(2, "/10.0.1.1:40124", "/10.0.1.2:80", "mlx5_1",
            1, 3, "standby", 0, 0, 65_536, NOW - 5900);
    private static final SessionSnapshot OPENING = new SessionSnapshot(2, "-", "-", "rxe0", 0, -1, "opening", 0, 0,
            65_536, NOW);
    private static final SessionSnapshot JOINING = new SessionSnapshot(SessionSnapshot.NO_SESSION, "-", "-", "rxe1", 0,
            -1, "opening", 0, 0, 65_536, NOW);

    @Test
    void shouldShowARowForEachSessionAndTheirSums() {
        assertThat(report("here", "here").lines()).containsExactly(
                "PROGRAM  PID  SESSION  LOCAL            REMOTE        DEVICE  PORT  GID  STATE    CONNECTIONS  "
                        + "CREDIT  PINNED    AGE",
                "Main     7    2        /10.0.0.1:40123  /10.0.0.2:80  mlx5_0  1     3    up       12           "
                        + "250     6209 KiB  5s",
                "Main     8    2        -                -             rxe0    -     -    opening  0            "
                        + "0       64 KiB    0s",
                "total: 2 processes, 2 sessions over RDMA with 2 links, 12 connection ends, 6273 KiB pinned");
    }

    @Test
    void shouldShowWhichLinksBelongToOneSession() {
        ProcessSnapshot process = new ProcessSnapshot(7, "Main", "here", "", List.of(), List.of(UP, STANDBY, JOINING));
        List<String> lines = new SessionReport(List.of(process), NOW).lines();
        assertThat(lines.get(1)).startsWith("Main     7    2        /10.0.0.1:40123  ").contains("  up  ");
        assertThat(lines.get(2)).startsWith("Main     7    2        /10.0.1.1:40124  ").contains("  standby  ");
        assertThat(lines.get(3)).startsWith("Main     7    -        -  ").contains("  opening  ");
        assertThat(lines.get(4)).contains(" 1 sessions over RDMA with 3 links, ");
    }

    @Test
    void shouldTellContainersApart() {
        assertThat(report("web", "db").lines())
                .anyMatch(line -> line.startsWith("Main     7@web     2        /10.0.0.1:40123"));
    }

    @Test
    void shouldSayThatThereIsNothingToSee() {
        ProcessSnapshot idle = new ProcessSnapshot(7, "Main", "here", "", List.of(), List.of());
        assertThat(new SessionReport(List.of(idle), NOW).lines())
                .endsWith("total: 1 processes, 0 sessions over RDMA with 0 links, 0 connection ends, 0 KiB pinned");
        assertThat(new SessionReport(List.of(), NOW).lines()).endsWith(Report.NOBODY);
    }

    @Test
    void shouldTellProgramsInJson() {
        assertThat(report("web", "db").json().replace('"', '\'')).isEqualTo("{'timeMillis':1700000005900,'links':["
                + "{'program':'Main','pid':7,'host':'web','session':2,"
                + "'local':'/10.0.0.1:40123','remote':'/10.0.0.2:80',"
                + "'device':'mlx5_0','port':1,'gid':3,'state':'up','connections':12,'credit':250,"
                + "'pinnedBytes':6356993,'ageSeconds':5},"
                + "{'program':'Main','pid':8,'host':'db','session':2,'local':'-','remote':'-',"
                + "'device':'rxe0','port':null,'gid':null,'state':'opening',"
                + "'connections':0,'credit':0,'pinnedBytes':65536,'ageSeconds':0}],"
                + "'totals':{'processes':2,'sessions':2,'links':2,'connections':12,'pinnedBytes':6422529},"
                + "'processes':[{'program':'Main','pid':7,'host':'web','served':''},"
                + "{'program':'Main','pid':8,'host':'db','served':''}]}");
    }

    private static SessionReport report(String firstHost, String secondHost) {
        return new SessionReport(List.of(new ProcessSnapshot(7, "Main", firstHost, "", List.of(), List.of(UP)),
                new ProcessSnapshot(8, "Main", secondHost, "", List.of(), List.of(OPENING))), NOW);
    }
}
