/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The settings of a process: immutable, checked when made. */
public final class Settings {
    /** The path that needs none of our fabrics. */
    public static final String TCP = "tcp";

    private final Map<Setting, Object> values;
    private final boolean asksBeside;

    private Settings(Map<Setting, Object> values, boolean asksBeside) {
        this.values = values;
        this.asksBeside = asksBeside;
    }

    /**
     * Reads the settings from properties; absent ones have their defaults.
     *
     * @param properties usually {@link System#getProperties}; only keys that begin with {@link Setting#PREFIX} count
     * @return checked settings
     * @throws IllegalArgumentException for an unknown key or a value that cannot be parsed; the message says what to do
     */
    public static Settings from(Properties properties) {
        Map<Setting, Object> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            values.put(setting, setting.parse(setting.defaultText()));
        }
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(Setting.PREFIX)) {
                Setting setting = find(name.substring(Setting.PREFIX.length()));
                values.put(setting, parse(setting, properties.getProperty(name)));
            }
        }
        String paths = properties.getProperty(Setting.PATHS.property(), Setting.PATHS.defaultText());
        return new Settings(values, Setting.isAuto(paths));
    }

    /**
     * Splits agent arguments, {@code key=value,key=value}. A part without {@code =} continues the value before it, so
     * that lists need no quoting: {@code paths=shm,tcp,summary=true}.
     *
     * @param arguments what follows {@code -javaagent:rsockets4j.jar=}, or null
     * @return system property names and values, in order
     * @throws IllegalArgumentException for a key that is unknown or a value without a key
     */
    public static Map<String, String> parseArguments(String arguments) {
        Map<String, String> result = new LinkedHashMap<>();
        String last = null;
        for (String part : arguments == null || arguments.isBlank() ? new String[0] : arguments.split(",")) {
            int equals = part.indexOf('=');
            if (equals >= 0) {
                last = find(part.substring(0, equals).strip()).property();
                result.put(last, part.substring(equals + 1));
            } else if (last != null) {
                result.merge(last, part, (before, more) -> before + "," + more);
            } else {
                throw new IllegalArgumentException("rsockets4j: '" + part + "' is not of the form key=value");
            }
        }
        return result;
    }

    /**
     * Whether TCP may serve in place of settings that rsockets4j cannot use: as far as those settings tell, their
     * author did not rule it out.
     *
     * @param arguments as for {@link #parseArguments}, possibly wrong
     * @param property the system property of {@link Setting#PATHS}, or null; counts if the arguments name no paths
     * @return false if paths were given and {@code tcp} is not among them
     */
    public static boolean allowTcp(String arguments, String property) {
        StringBuilder paths = new StringBuilder();
        boolean inPaths = false;
        for (String part : (arguments == null ? "" : arguments).split(",")) {
            int equals = part.indexOf('=');
            inPaths = equals < 0 ? inPaths : part.substring(0, equals).strip().equals(Setting.PATHS.key());
            if (inPaths) {
                paths.append(',').append(part.substring(equals + 1).strip());
            }
        }
        String given = paths.length() > 0 ? paths.toString() : property;
        return given == null || given.contains(TCP) || given.contains(Setting.PATHS.defaultText());
    }

    /**
     * The allowed paths, best first.
     *
     * @return for example {@code [shm, tcp]}
     */
    @SuppressWarnings("unchecked") // Setting.PATHS parses to this type
    public List<String> paths() {
        return (List<String>) values.get(Setting.PATHS);
    }

    /**
     * Whether peers are asked for path rdma beside connections that go by TCP, as nobody has named that path.
     *
     * @return false where the paths are named: each connect then waits for its peer's answer
     */
    public boolean asksBeside() {
        return asksBeside;
    }

    /**
     * The file of rules.
     *
     * @return its path, or empty
     */
    public String rulesFile() {
        return ((String) values.get(Setting.RULES)).strip();
    }

    /**
     * The rules that were given without a file.
     *
     * @return their text, unchecked, possibly empty
     */
    public String rule() {
        return (String) values.get(Setting.RULE);
    }

    /**
     * How long a refusal is remembered.
     *
     * @return nanoseconds; 0 for not at all
     */
    public long rememberNanos() {
        return (Long) values.get(Setting.REMEMBER_SECONDS) * 1_000_000_000;
    }

    /**
     * Whether a summary line is printed at exit.
     *
     * @return true to print
     */
    public boolean summary() {
        return (Boolean) values.get(Setting.SUMMARY);
    }

    /**
     * The lowest level of messages that are logged even where the program's logging system does not ask for them.
     *
     * @return WARNING, INFO or DEBUG
     */
    public System.Logger.Level log() {
        return (System.Logger.Level) values.get(Setting.LOG);
    }

    /**
     * Capacity of one ring.
     *
     * @return bytes, a power of two
     */
    public int ringBytes() {
        return Math.toIntExact((Long) values.get(Setting.RING_BYTES));
    }

    /**
     * How large rings are, for programs that ask for nothing and at most.
     *
     * @return bounds, in bytes
     */
    public RingLimits rings() {
        long max = Math.max((Long) values.get(Setting.RING_MAX_BYTES), ringBytes());
        return new RingLimits(ringBytes(), Math.toIntExact(max));
    }

    /**
     * Longest spin.
     *
     * @return nanoseconds
     */
    public long spinNanos() {
        return (Long) values.get(Setting.SPIN_MICROS) * 1_000;
    }

    /**
     * Deadline of one handshake.
     *
     * @return nanoseconds
     */
    public long handshakeNanos() {
        return (Long) values.get(Setting.HANDSHAKE_MILLIS) * 1_000_000;
    }

    /**
     * How long a connection with SO_KEEPALIVE may be silent.
     *
     * @return nanoseconds
     */
    public long keepAliveNanos() {
        return (Long) values.get(Setting.KEEPALIVE_SECONDS) * 1_000_000_000L;
    }

    /**
     * Which binding to the verbs to use.
     *
     * @return its name, or {@code auto}
     */
    public String rdmaBinding() {
        return (String) values.get(Setting.RDMA_BINDING);
    }

    /**
     * Whether RDMA writes may carry immediate data.
     *
     * @return false to do without, as on iWARP
     */
    public boolean rdmaImmediate() {
        return (Boolean) values.get(Setting.RDMA_IMMEDIATE);
    }

    /**
     * From which size on bytes go straight from and into the program's buffers.
     *
     * @param registered whether those are of an extended socket
     * @return bytes; {@link Integer#MAX_VALUE} for never
     */
    public int directMinBytes(boolean registered) {
        Long bytes = (Long) values.get(registered ? Setting.DIRECT_REGISTERED_MIN_BYTES : Setting.DIRECT_MIN_BYTES);
        return bytes == 0 ? Integer.MAX_VALUE : Math.toIntExact(bytes);
    }

    /**
     * Whether writes that may go straight into the buffer of a read take no other way.
     *
     * @return true to wait for such a read
     */
    public boolean directOnly() {
        return (Boolean) values.get(Setting.DIRECT_ONLY);
    }

    /**
     * Where shared memory lives.
     *
     * @return a directory's path
     */
    public String shmDirectory() {
        return (String) values.get(Setting.SHM_DIRECTORY);
    }

    /**
     * Whether processes meet by shared memory across network namespaces.
     *
     * @return false where listeners are found in their own namespace alone
     */
    public boolean shmAcrossNamespaces() {
        return (Boolean) values.get(Setting.SHM_ACROSS_NAMESPACES);
    }

    /**
     * How much shared memory this process may make.
     *
     * @return in bytes, 0 for no limit of its own
     */
    public long shmMaxBytes() {
        return (Long) values.get(Setting.SHM_MAX_BYTES);
    }

    /**
     * How much memory this process may pin for RDMA.
     *
     * @return in bytes, 0 for no limit but the system's
     */
    public long rdmaMaxBytes() {
        return (Long) values.get(Setting.RDMA_MAX_BYTES);
    }

    /**
     * How many links the RDMA connections of two processes may have.
     *
     * @return 1, or 2 where they go on over another device or port when one fails
     */
    public int rdmaLinks() {
        return Math.toIntExact((Long) values.get(Setting.RDMA_LINKS));
    }

    private static Object parse(Setting setting, String text) {
        try {
            return setting.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("rsockets4j: cannot use " + setting.property() + "=" + text + ": "
                    + e.getMessage() + "; allowed: " + setting.range(), e);
        }
    }

    private static Setting find(String key) {
        for (Setting setting : Setting.values()) {
            if (setting.key().equals(key)) {
                return setting;
            }
        }
        Setting near = Arrays.stream(Setting.values())
                .min(Comparator.comparingInt(s -> distance(s.key(), key))).orElseThrow();
        throw new IllegalArgumentException("rsockets4j: unknown setting '" + key + "'; did you mean '" + near.key()
                + "'? Known are: " + String.join(", ", Arrays.stream(Setting.values()).map(Setting::key).toList()));
    }

    /** Levenshtein's distance between two short words. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitute = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(substitute, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
