/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs, as {@code LEVEL message}, instead of being printed. */
public final class LogCapture extends Handler {
    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private LogCapture(Logger logger) {
        this.logger = logger;
    }

    /**
     * Begins to capture, from INFO on, which until {@link #close} is what the process wants.
     *
     * @param type whose log
     * @return to be closed
     */
    public static LogCapture of(Class<?> type) {
        LogCapture capture = new LogCapture(Logger.getLogger(type.getName()));
        capture.logger.addHandler(capture);
        capture.logger.setUseParentHandlers(false);
        Log.wantFrom(System.Logger.Level.INFO);
        return capture;
    }

    /**
     * What was logged so far.
     *
     * @return a view, in order
     */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord message) {
        lines.add(message.getLevel() + " " + message.getMessage());
    }

    @Override
    public void flush() {
        // nothing is buffered
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
        Log.wantFrom(System.Logger.Level.WARNING);
    }
}
