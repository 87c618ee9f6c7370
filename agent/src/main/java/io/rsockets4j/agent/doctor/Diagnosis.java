/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import io.rsockets4j.agent.report.Json;
import io.rsockets4j.core.engine.PathState;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All findings, ready to print.
 *
 * @param findings of the checks, in their order
 * @param peer the peer that was tried, or null
 * @param paths the state of each path: to the peer, or in this process
 */
record Diagnosis(List<Finding> findings, String peer, List<PathState> paths) {
    private static final int LABEL = 9;
    private static final int SUBJECT = 17;

    /** The worst level, that of a peer which no path reaches included. */
    Severity level() {
        Severity worst = findings.stream().map(Finding::level).max(Comparator.naturalOrder()).orElse(Severity.OK);
        return paths.stream().anyMatch(PathState::works) ? worst : Severity.ERROR;
    }

    /** Tells people. */
    void print(PrintWriter out) {
        findings.forEach(finding -> print(finding, out));
        out.println();
        out.println(peer == null ? "Paths in this process:" : "Paths from here to " + peer + ":");
        for (PathState path : paths) {
            line(out, path.path(), path.works() ? "works" : "does not work", path.detail());
            if (!path.works()) {
                line(out, "", "", "reason " + path.reason() + ": " + path.reason().sentence());
                line(out, "", "", path.reason().advice());
            }
        }
        out.flush();
    }

    private static void print(Finding finding, PrintWriter out) {
        line(out, finding.level().label(), finding.subject(), finding.found());
        if (!finding.means().isEmpty()) {
            line(out, "", "", finding.means());
        }
        if (!finding.mend().isEmpty()) {
            line(out, "", "", "mend it: " + finding.mend());
        }
    }

    private static void line(PrintWriter out, String first, String second, String text) {
        out.println(pad(first, LABEL) + pad(second, SUBJECT) + text);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }

    /** Tells programs, on one line. */
    String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("level", level().label());
        all.put("findings", findings.stream().map(Finding::fields).toList());
        all.put("peer", peer);
        all.put("paths", paths.stream().map(Diagnosis::fields).toList());
        return Json.of(all);
    }

    private static Map<String, Object> fields(PathState path) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("path", path.path());
        fields.put("works", path.works());
        fields.put("reason", path.reason().number());
        fields.put("name", path.reason().label());
        fields.put("sentence", path.reason().sentence());
        fields.put("detail", path.detail());
        return fields;
    }
}
