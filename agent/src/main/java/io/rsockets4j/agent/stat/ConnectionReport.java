/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.stat;

import io.rsockets4j.agent.report.Table;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.ProcessSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The connections of some processes, told as a table or as JSON.
 *
 * @param processes what they said
 * @param nowMillis when, in milliseconds since the epoch
 */
record ConnectionReport(List<ProcessSnapshot> processes, long nowMillis) implements Report {
    private static final Set<Reason> NO_NEWS = EnumSet.of(Reason.PREFERRED, Reason.PEER_CHOICE);

    /** The lines of the table, one of totals, and what the reasons mean that there is something to be done about. */
    @Override
    public List<String> lines() {
        Table table = new Table("PROGRAM", Report.numberHeading(processes), "LOCAL", "REMOTE", "PATH", "REASON", "SENT",
                "RECEIVED", "DIRECT", "CREDIT", "STALLS", "AGE");
        for (ProcessSnapshot process : processes) {
            for (ConnectionSnapshot c : process.connections()) {
                boolean tcp = c.path().equals("tcp"); // there the kernel counts
                table.add(process.program(), Report.number(process, processes), c.local(), c.remote(), c.path(),
                        c.reason(), tcp ? UNKNOWN : c.bytesSent(), tcp ? UNKNOWN : c.bytesReceived(),
                        tcp ? UNKNOWN : direct(c), tcp ? UNKNOWN : c.creditBytes(), tcp ? UNKNOWN : c.stalls(),
                        age(c) + "s");
            }
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add(totals());
        lines.addAll(Report.served(processes));
        lines.addAll(meanings());
        return lines;
    }

    private static String direct(ConnectionSnapshot c) {
        return percent(c.directBytesSent(), c.bytesSent()) + "/" + percent(c.directBytesReceived(), c.bytesReceived());
    }

    /** Rounded down: 100% only where it is all. */
    private static String percent(long part, long all) {
        return (all == 0 ? 0 : (long) (100.0 * part / all)) + "%";
    }

    private List<String> meanings() {
        Set<String> shown = all().stream().map(ConnectionSnapshot::reason).collect(Collectors.toSet());
        return Arrays.stream(Reason.values()).filter(reason -> !NO_NEWS.contains(reason))
                .filter(reason -> shown.contains(reason.toString()))
                .map(reason -> "reason " + reason + ": " + reason.sentence() + " " + reason.advice()).toList();
    }

    private long age(ConnectionSnapshot connection) {
        return Report.age(connection.openedAtMillis(), nowMillis);
    }

    private List<ConnectionSnapshot> all() {
        return processes.stream().flatMap(process -> process.connections().stream()).toList();
    }

    private Map<String, Long> byPath() {
        Map<String, Long> counts = new TreeMap<>();
        all().forEach(connection -> counts.merge(connection.path(), 1L, Long::sum));
        return counts;
    }

    private long sum(ToLongFunction<ConnectionSnapshot> bytes) {
        return all().stream().mapToLong(bytes).sum();
    }

    private String totals() {
        if (processes.isEmpty()) {
            return NOBODY;
        }
        String paths = all().isEmpty() ? "" : " " + byPath();
        return "total: " + processes.size() + " processes, " + all().size() + " connection ends" + paths + ", "
                + sum(ConnectionSnapshot::bytesSent) + " bytes sent, " + sum(ConnectionSnapshot::bytesReceived)
                + " received";
    }

    @Override
    public String json() {
        List<Map<String, Object>> rows = new ArrayList<>();
        processes.forEach(process -> process.connections().forEach(c -> rows.add(row(process, c))));
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("processes", processes.size());
        totals.put("connections", byPath());
        totals.put("bytesSent", sum(ConnectionSnapshot::bytesSent));
        totals.put("bytesReceived", sum(ConnectionSnapshot::bytesReceived));
        totals.put("directBytesSent", sum(ConnectionSnapshot::directBytesSent));
        totals.put("directBytesReceived", sum(ConnectionSnapshot::directBytesReceived));
        return Report.json(nowMillis, processes, "connections", rows, totals);
    }

    private Map<String, Object> row(ProcessSnapshot process, ConnectionSnapshot c) {
        Map<String, Object> row = Report.row(process);
        row.put("id", c.id());
        row.put("direction", c.direction());
        row.put("local", c.local());
        row.put("remote", c.remote());
        row.put("path", c.path());
        row.put("reason", c.reason());
        row.put("bytesSent", c.bytesSent());
        row.put("bytesReceived", c.bytesReceived());
        row.put("directBytesSent", c.directBytesSent());
        row.put("directBytesReceived", c.directBytesReceived());
        row.put("creditBytes", c.creditBytes());
        row.put("stalls", c.stalls());
        row.put("ageSeconds", age(c));
        return row;
    }
}
