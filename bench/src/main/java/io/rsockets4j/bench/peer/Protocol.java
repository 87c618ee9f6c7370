/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.peer;

import io.rsockets4j.bench.work.Stage;
import io.rsockets4j.bench.work.Works;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The words that a {@link Peer} and the one who started it exchange. */
public final class Protocol {
    /** Starts each answer; a line without it is ordinary output. */
    public static final char MARK = '@';
    /** Sent once by a peer that is ready for commands, with the name of its JVM. */
    public static final String READY = MARK + "ready ";
    /** Starts the answer to a command that failed, with the reason. */
    public static final String FAILED = MARK + "failed ";
    /** Starts the answer to a command that failed because wrong bytes came, with the reason. */
    public static final String CORRUPT = MARK + "corrupt ";
    /** Asks for the servers of a job, and is answered with their ports. */
    public static final String SERVE = "serve ";
    /** Asks to close the servers. */
    public static final String STOP = "stop";
    /** Asks to do a client's part, and is answered with the figures. */
    public static final String DRIVE = "drive ";

    private static final String PORTS = MARK + "ports ";
    private static final String VALUES = MARK + "values ";

    private Protocol() {}

    static String ports(List<Integer> ports) {
        return PORTS + joined(ports);
    }

    /**
     * Reads the answer to {@link #SERVE}.
     *
     * @param answer the line
     * @return the ports
     */
    public static List<Integer> parsePorts(String answer) {
        return split(expect(PORTS, answer));
    }

    static String values(Map<String, Double> values) {
        return VALUES
                + new TreeMap<>(values)
                        .entrySet().stream()
                                .map(each -> each.getKey() + '=' + each.getValue())
                                .collect(Collectors.joining(";"));
    }

    /**
     * Reads the answer to {@link #DRIVE}.
     *
     * @param answer the line
     * @return the figures by the names of their metrics
     */
    public static Map<String, Double> parseValues(String answer) {
        Map<String, Double> values = new TreeMap<>();
        for (String each : expect(VALUES, answer).split(";")) {
            int equals = each.indexOf('=');
            values.put(each.substring(0, equals), Double.valueOf(each.substring(equals + 1)));
        }
        return values;
    }

    /**
     * Writes the command to do a client's part.
     *
     * @param stage the job and its servers
     * @return the line
     */
    public static String drive(Stage stage) {
        return DRIVE
                + stage.serverPid()
                + ' '
                + joined(stage.ports())
                + ' '
                + stage.ratePerSecond()
                + ' '
                + stage.job().toLine();
    }

    static Stage parseDrive(String command) {
        String[] words = expect(DRIVE, command).split(" ", 4);
        return new Stage(
                Works.parseJob(words[3]), split(words[1]), Long.parseLong(words[0]), Double.parseDouble(words[2]));
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> split(String numbers) {
        return Arrays.stream(numbers.split(",")).map(Integer::valueOf).toList();
    }

    private static String expect(String prefix, String line) {
        if (!line.startsWith(prefix)) {
            throw new IllegalArgumentException("expected \"" + prefix + "...\", got \"" + line + '"');
        }
        return line.substring(prefix.length());
    }
}
