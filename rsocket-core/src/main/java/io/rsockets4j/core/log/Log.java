/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.log;

import java.lang.System.Logger.Level;

/**
 * A {@link System.Logger} that is looked up with its first message. The look-up starts the program's logging system,
 * which takes longer than many a program runs, and which many programs configure in {@code main}; our classes may be
 * loaded before that.
 *
 * <p>So a message that nobody wants does not start it. Warnings and errors are always logged. A message below them is
 * logged at its own level if {@link #wantFrom} has asked for it. Otherwise it is logged at DEBUG if the program has a
 * configuration of its logging, which then decides: system properties of {@code java.util.logging}, or a {@link
 * System.LoggerFinder} on the class path. Thread-safe.
 */
public final class Log {
    private static final String[] CONFIGURATIONS = {"java.util.logging.config.file", "java.util.logging.config.class",
        "java.util.logging.manager", "jdk.system.logger.level"};
    private static final String FINDERS = "META-INF/services/java.lang.System$LoggerFinder";

    private static volatile int wanted = Level.WARNING.getSeverity();

    private final String name;

    private Log(String name) {
        this.name = name;
    }

    /**
     * The log of a class.
     *
     * @param type gives the logger its name
     * @return without a side effect
     */
    public static Log of(Class<?> type) {
        return of(type.getName());
    }

    /**
     * The log of a name, for classes that speak as one.
     *
     * @param name of the logger
     * @return without a side effect
     */
    public static Log of(String name) {
        return new Log(name);
    }

    /**
     * Says what the user has asked for, for all logs of the process.
     *
     * @param least the lowest level that is passed on as it is; above WARNING it counts as WARNING
     */
    public static void wantFrom(Level least) {
        wanted = Math.min(least.getSeverity(), Level.WARNING.getSeverity());
    }

    /**
     * Whether a message is passed on to the program's logging system, so that it is worth its making.
     *
     * @param level its level
     * @return false if it ends here
     */
    public boolean passes(Level level) {
        return level.getSeverity() >= wanted || Configured.BY_PROGRAM;
    }

    /**
     * Logs a message.
     *
     * @param level its level
     * @param message what happened
     */
    public void log(Level level, String message) {
        log(level, message, null);
    }

    /**
     * Logs a message with its cause.
     *
     * @param level its level
     * @param message what happened
     * @param cause what was thrown, or null
     */
    public void log(Level level, String message, Throwable cause) {
        if (!passes(level)) {
            return;
        }
        Level shown = level.getSeverity() >= wanted ? level : Level.DEBUG;
        if (Finder.IS_JDKS && Finder.HAS_JUL) {
            Jul.log(name, shown, message, cause);
        } else {
            System.getLogger(name).log(shown, message, cause);
        }
    }

    /** What the program's logging system is. */
    private static final class Finder {
        static final boolean HAS_JUL = ModuleLayer.boot().findModule("java.logging").isPresent();
        static final boolean IS_JDKS = isJdks();

        private Finder() { }

        private static boolean isJdks() {
            try {
                return System.LoggerFinder.getLoggerFinder().getClass().getModule().getName() != null
                        && System.LoggerFinder.getLoggerFinder().getClass().getModule().getName().startsWith("java.");
            } catch (SecurityException e) {
                return false; // who may not look gets the way that works everywhere
            }
        }
    }

    /**
     * The JDK's own logging, told which class speaks: it would else look for the caller, and name this class in each
     * line. Loaded where the module is there.
     */
    private static final class Jul {
        private Jul() { }

        static void log(String name, Level level, String message, Throwable cause) {
            java.util.logging.LogRecord line = new java.util.logging.LogRecord(levelOf(level), message);
            line.setLoggerName(name);
            line.setSourceClassName(name);
            line.setSourceMethodName(null);
            line.setThrown(cause);
            java.util.logging.Logger.getLogger(name).log(line);
        }

        private static java.util.logging.Level levelOf(Level level) {
            return switch (level) {
                case ERROR -> java.util.logging.Level.SEVERE;
                case WARNING -> java.util.logging.Level.WARNING;
                case INFO -> java.util.logging.Level.INFO;
                default -> java.util.logging.Level.FINE;
            };
        }
    }

    /** Looked for when the first message comes that was not asked for. */
    private static final class Configured {
        static final boolean BY_PROGRAM = isConfigured();

        private Configured() { }

        private static boolean isConfigured() {
            try {
                for (String property : CONFIGURATIONS) {
                    if (System.getProperty(property) != null) {
                        return true;
                    }
                }
                return ClassPath.has(FINDERS);
            } catch (SecurityException e) {
                return false; // who may not look may not log
            }
        }
    }
}
