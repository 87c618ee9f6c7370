/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.log;

/**
 * A {@link System.Logger} that is looked up with its first message. The look-up starts the program's logging system,
 * which many programs configure in {@code main}, and our classes may be loaded before that. Thread-safe.
 */
public final class Log {
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
        return new Log(type.getName());
    }

    /**
     * Logs a message.
     *
     * @param level its level
     * @param message what happened
     */
    public void log(System.Logger.Level level, String message) {
        System.getLogger(name).log(level, message);
    }

    /**
     * Logs a message with its cause.
     *
     * @param level its level
     * @param message what happened
     * @param cause what was thrown
     */
    public void log(System.Logger.Level level, String message, Throwable cause) {
        System.getLogger(name).log(level, message, cause);
    }
}
