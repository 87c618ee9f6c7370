/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Collects what a reader must know about the machine to judge the figures. */
final class Environment {
    private static final String UNKNOWN = "unknown";

    private Environment() {}

    /**
     * Tells how busy the machine is: the number of threads that wanted to run, averaged over the last minute; 0 if the
     * system does not tell.
     */
    static double load() {
        return Math.max(0, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /**
     * Looks around.
     *
     * @param load how busy the machine was before the run
     * @param jvm the JVM under test
     * @param options the command line
     * @return facts by name, in the order in which to show them
     */
    static Map<String, String> collect(double load, String jvm, List<String> options) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("JVM", jvm);
        facts.put("CPU", field("/proc/cpuinfo", "model name"));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", field("/proc/meminfo", "MemTotal"));
        facts.put("kernel", System.getProperty("os.name") + ' ' + System.getProperty("os.version"));
        facts.put("load before", String.format(Locale.ROOT, "%.2f", load));
        facts.put(
                "date",
                DateTimeFormatter.ISO_INSTANT.format(
                        ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS)));
        facts.put("commit", System.getProperty("rsockets4j.bench.commit", UNKNOWN));
        facts.put("options", options.isEmpty() ? "none" : String.join(" ", options));
        return facts;
    }

    private static String field(String file, String name) {
        return read(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** A fact that the system does not tell is shown as unknown. */
    private static List<String> read(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
