/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.jna;

/** Takes what JNA logs, and drops it. Thread-safe. */
public final class Logger {
    private static final Logger SILENT = new Logger();

    private Logger() { }

    /**
     * The one logger.
     *
     * @param name whose messages they are
     * @return never null
     */
    public static Logger getLogger(String name) {
        return SILENT;
    }

    /**
     * Whether somebody wants to know.
     *
     * @param level how grave a message is
     * @return false
     */
    public boolean isLoggable(Level level) {
        return false;
    }

    /**
     * Drops a message.
     *
     * @param level how grave it is
     * @param message the text
     */
    public void log(Level level, String message) { }

    /**
     * Drops a message.
     *
     * @param level how grave it is
     * @param message the text
     * @param parameter what the text names
     */
    public void log(Level level, String message, Object parameter) { }

    /**
     * Drops a message.
     *
     * @param level how grave it is
     * @param message the text
     * @param parameters what the text names
     */
    public void log(Level level, String message, Object[] parameters) { }

    /**
     * Drops a message. JNA throws it as well, if that matters.
     *
     * @param level how grave it is
     * @param message the text
     * @param thrown the cause
     */
    public void log(Level level, String message, Throwable thrown) { }
}
