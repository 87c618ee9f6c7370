/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * What a program would see of a socket, line by line: answers, or exceptions with their messages. Two transcripts of
 * the same calls are equal where a program cannot tell two kinds of sockets apart.
 */
public final class Transcript {
    /** Options whose values depend on the moment. */
    private static final Set<String> OF_THE_MOMENT = Set.of("SO_INCOMING_NAPI_ID", "TCP_QUICKACK");
    private static final Object[] NUMBERS = {-2, -1, 0, 1, 7, 16, 255, 256, 4096, 65_535, 65_536, 200_000, 1 << 20,
        Integer.MAX_VALUE};
    /** As good as the helpful messages that name the JVM's own variables. */
    private static final String NO_MESSAGE = ": null";
    private static final Object[] TRUTHS = {true, false, true};

    private final List<String> lines = new ArrayList<>();

    /**
     * Notes the outcome of a call.
     *
     * @param what the call, in words
     * @param call made at once
     * @return this
     */
    public Transcript note(String what, Callable<?> call) {
        return line(what, outcome(call));
    }

    /**
     * Notes the outcome of a call. Ports in it, which are never the same, become {@code PORT}.
     *
     * @param what the call, in words
     * @param call made at once
     * @return this
     */
    public Transcript noteBarPorts(String what, Callable<?> call) {
        return line(what, outcome(call).replaceAll("\\b\\d{4,5}\\b", "PORT"));
    }

    private Transcript line(String what, String outcome) {
        lines.add(what + ": " + outcome);
        return this;
    }

    private static String outcome(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (Exception e) {
            String message = String.valueOf(e.getMessage());
            return e.getClass().getName() + (message.startsWith("Cannot invoke") ? NO_MESSAGE : ": " + message);
        }
    }

    /**
     * Notes the value of each option.
     *
     * @param what whose
     * @param socket a channel or socket
     * @return this
     */
    public Transcript values(String what, Options socket) {
        for (SocketOption<?> name : sorted(socket.supported())) {
            String value = value(socket, name);
            line(what + " " + name, OF_THE_MOMENT.contains(name.name()) ? "(of the moment)" : value);
        }
        return this;
    }

    /**
     * Sets each option to many values, good and bad, and notes what becomes of it.
     *
     * @param what whose
     * @param socket a channel or socket
     * @return this
     */
    public Transcript settings(String what, Options socket) {
        for (SocketOption<?> name : sorted(socket.supported())) {
            for (Object value : name.type() == Boolean.class ? TRUTHS : NUMBERS) {
                set(what, socket, name, value);
            }
            set(what, socket, name, null);
        }
        return this;
    }

    @SuppressWarnings("unchecked") // the values are of the option's type
    private void set(String what, Options socket, SocketOption<?> name, Object value) {
        String set = outcome(() -> socket.set((SocketOption<Object>) name, value));
        boolean known = !OF_THE_MOMENT.contains(name.name());
        line(what + " " + name + "=" + value, set + (known ? ", is " + value(socket, name) : ""));
    }

    /** The kernel tunes a connection's SO_SNDBUF by what it remembers of earlier ones: two are rarely the same. */
    private static String value(Options socket, SocketOption<?> name) {
        String value = outcome(() -> socket.get(name));
        return name == StandardSocketOptions.SO_SNDBUF ? value.replaceAll("^\\d{7}$", "(tuned)") : value;
    }

    private static Iterable<SocketOption<?>> sorted(Set<SocketOption<?>> names) {
        TreeMap<String, SocketOption<?>> sorted = new TreeMap<>();
        names.forEach(name -> sorted.put(name.name(), name));
        return sorted.values();
    }

    /** @return the lines, in order */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
