/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * Looks for packages of one module that need each other, by the JDK's jdeps. Between modules there are none: Maven
 * builds one after the other.
 */
public final class PackageCycles {
    private static final Pattern NEED = Pattern.compile(" +(io\\.rsockets4j\\.\\S+) +-> (io\\.rsockets4j\\.\\S+) .*");

    /** For each package those that it needs, and for which classes. */
    private final Map<String, Map<String, String>> needs = new TreeMap<>();
    private final Set<String> seen = new HashSet<>();
    private final List<String> path = new ArrayList<>();

    private PackageCycles() { }

    /**
     * Looks for a cycle.
     *
     * @param member any class of the module, which is compiled, but no jar yet
     * @return which class needs which one in the next package, around the first cycle that was found; empty if none
     */
    public static List<String> find(Class<?> member) throws IOException, URISyntaxException {
        File classes = new File(member.getProtectionDomain().getCodeSource().getLocation().toURI());
        PackageCycles cycles = new PackageCycles();
        jdeps(classes).lines().map(NEED::matcher).filter(Matcher::matches).forEach(
                need -> cycles.needs.computeIfAbsent(packageOf(need.group(1)), name -> new TreeMap<>())
                        .putIfAbsent(packageOf(need.group(2)), need.group(1) + " -> " + need.group(2)));
        if (cycles.needs.isEmpty()) {
            throw new IOException("jdeps finds nothing in " + classes);
        }
        for (String each : cycles.needs.keySet()) {
            List<String> found = cycles.from(each);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    /** What it says of all classes but the module's description, for which it would want the other modules. */
    private static String jdeps(File classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-verbose:class", "-regex", "io\\.rsockets4j\\..*"));
        arguments.add(new File(classes, "io").getPath());
        File[] versions = new File(classes, "META-INF/versions").listFiles();
        if (versions != null) {
            for (File version : versions) {
                arguments.add(new File(version, "io").getPath());
            }
        }
        StringWriter out = new StringWriter();
        try (PrintWriter writer = new PrintWriter(out)) {
            ToolProvider tool = ToolProvider.findFirst("jdeps").orElseThrow();
            if (tool.run(writer, writer, arguments.toArray(String[]::new)) != 0) {
                throw new IOException("jdeps " + arguments + ": " + out);
            }
        }
        return out.toString();
    }

    private static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.'));
    }

    private List<String> from(String name) {
        int begin = path.indexOf(name);
        if (begin >= 0) {
            List<String> cycle = new ArrayList<>();
            for (int i = begin; i < path.size(); i++) {
                cycle.add(needs.get(path.get(i)).get(i + 1 < path.size() ? path.get(i + 1) : name));
            }
            return cycle;
        }
        if (seen.add(name)) {
            path.add(name);
            for (String next : needs.getOrDefault(name, Map.of()).keySet()) {
                List<String> found = from(next);
                if (!found.isEmpty()) {
                    return found;
                }
            }
            path.remove(path.size() - 1);
        }
        return List.of();
    }
}
