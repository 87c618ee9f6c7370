/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.stat;

import io.rsockets4j.agent.report.Json;
import io.rsockets4j.core.stat.ProcessSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What some processes said, for people or for programs. */
interface Report {
    /** What stands for a number that is not known. */
    String UNKNOWN = "-";
    /** What to tell where no process has answered. */
    String NOBODY = "No JVM of this user runs with rsockets4j. Start one with -javaagent:rsockets4j.jar, let it open a"
            + " socket, and look again.";

    /** The lines of a table, and what is below it. */
    List<String> lines();

    /** All of it on one line. */
    String json();

    /** The heading of {@link #number}. */
    static String numberHeading(List<ProcessSnapshot> processes) {
        return areOnSeveralHosts(processes) ? "PID@HOST" : "PID";
    }

    /** A process' number; with its host where containers share a directory, each with a process of number 1. */
    static Object number(ProcessSnapshot process, List<ProcessSnapshot> processes) {
        return areOnSeveralHosts(processes) ? process.pid() + "@" + process.host() : process.pid();
    }

    private static boolean areOnSeveralHosts(List<ProcessSnapshot> processes) {
        return processes.stream().map(ProcessSnapshot::host).distinct().count() > 1;
    }

    /** Whole seconds between two times in milliseconds; none where the clock was set back. */
    static long age(long openedAtMillis, long nowMillis) {
        return Math.max(0, (nowMillis - openedAtMillis) / 1000);
    }

    /** What each row of {@link #json} begins with; to be filled further. */
    static Map<String, Object> row(ProcessSnapshot process) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("program", process.program());
        row.put("pid", process.pid());
        row.put("host", process.host());
        return row;
    }

    private static Map<String, Object> rowWithServed(ProcessSnapshot process) {
        Map<String, Object> row = row(process);
        row.put("served", process.served());
        return row;
    }

    /** A line for each process: what serves it. */
    static List<String> served(List<ProcessSnapshot> processes) {
        return processes.stream().filter(process -> !process.served().isEmpty())
                .map(process -> process.program() + " " + number(process, processes) + ": " + process.served())
                .toList();
    }

    /** What {@link #json} gives: when, the rows under their name, sums over them, and the processes. */
    static String json(long nowMillis, List<ProcessSnapshot> processes, String name, List<Map<String, Object>> rows,
            Map<String, Object> totals) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("timeMillis", nowMillis);
        report.put(name, rows);
        report.put("totals", totals);
        report.put("processes", processes.stream().map(Report::rowWithServed).toList());
        return Json.of(report);
    }
}
