/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.stat;

import io.rsockets4j.agent.report.Table;
import io.rsockets4j.core.stat.ProcessSnapshot;
import io.rsockets4j.core.stat.SessionSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The links of the sessions over RDMA of some processes, told as a table or as JSON.
 *
 * @param processes what they said
 * @param nowMillis when, in milliseconds since the epoch
 */
record SessionReport(List<ProcessSnapshot> processes, long nowMillis) implements Report {
    private static final long KIB = 1024;

    @Override
    public List<String> lines() {
        Table table = new Table("PROGRAM", Report.numberHeading(processes), "SESSION", "LOCAL", "REMOTE", "DEVICE",
                "PORT", "GID", "STATE", "CONNECTIONS", "CREDIT", "PINNED", "AGE");
        for (ProcessSnapshot process : processes) {
            for (SessionSnapshot s : process.sessions()) {
                table.add(process.program(), Report.number(process, processes), known(s.session(), 1, Report.UNKNOWN),
                        s.local(), s.remote(), s.device(), known(s.port(), 1, Report.UNKNOWN),
                        known(s.gid(), 0, Report.UNKNOWN), s.state(), s.connections(), s.credit(),
                        kib(s.pinnedBytes()), Report.age(s.openedAtMillis(), nowMillis) + "s");
            }
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add(processes.isEmpty() ? Report.NOBODY : "total: " + processes.size() + " processes, " + sessions()
                + " sessions over RDMA with " + all().size() + " links, " + sum(SessionSnapshot::connections)
                + " connection ends, " + kib(sum(SessionSnapshot::pinnedBytes)) + " pinned");
        return lines;
    }

    private static Object known(int number, int least, Object otherwise) {
        return number < least ? otherwise : number;
    }

    private static String kib(long bytes) {
        return (bytes + KIB - 1) / KIB + " KiB";
    }

    private List<SessionSnapshot> all() {
        return processes.stream().flatMap(process -> process.sessions().stream()).toList();
    }

    private long sessions() {
        return processes.stream().mapToLong(SessionReport::sessions).sum();
    }

    private static long sessions(ProcessSnapshot process) {
        return process.sessions().stream().mapToInt(SessionSnapshot::session)
                .filter(session -> session != SessionSnapshot.NO_SESSION).distinct().count();
    }

    private long sum(ToLongFunction<SessionSnapshot> number) {
        return all().stream().mapToLong(number).sum();
    }

    @Override
    public String json() {
        List<Map<String, Object>> rows = new ArrayList<>();
        processes.forEach(process -> process.sessions().forEach(s -> rows.add(row(process, s))));
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("processes", processes.size());
        totals.put("sessions", sessions());
        totals.put("links", rows.size());
        totals.put("connections", sum(SessionSnapshot::connections));
        totals.put("pinnedBytes", sum(SessionSnapshot::pinnedBytes));
        return Report.json(nowMillis, processes, "links", rows, totals);
    }

    private Map<String, Object> row(ProcessSnapshot process, SessionSnapshot s) {
        Map<String, Object> row = Report.row(process);
        row.put("session", known(s.session(), 1, null));
        row.put("local", s.local());
        row.put("remote", s.remote());
        row.put("device", s.device());
        row.put("port", known(s.port(), 1, null));
        row.put("gid", known(s.gid(), 0, null));
        row.put("state", s.state());
        row.put("connections", s.connections());
        row.put("credit", s.credit());
        row.put("pinnedBytes", s.pinnedBytes());
        row.put("ageSeconds", Report.age(s.openedAtMillis(), nowMillis));
        return row;
    }
}
