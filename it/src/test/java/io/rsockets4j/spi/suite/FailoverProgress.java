/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

/** How far one direction or connection has come, and the longest time in which it did not. Thread-safe. */
final class FailoverProgress {
    private final String name;
    private final long enough;
    private long count;
    private long mark;
    private long stepNanos = System.nanoTime();
    private long pauseNanos;

    /**
     * Begins at zero.
     *
     * @param name for messages
     * @param enough the progress that no buffer on the way explains
     */
    FailoverProgress(String name, long enough) {
        this.name = name;
        this.enough = enough;
    }

    synchronized void step(long amount) {
        long now = System.nanoTime();
        pauseNanos = Math.max(pauseNanos, now - stepNanos);
        stepNanos = now;
        count += amount;
    }

    /** From here on pauses count; the one that has begun counts in full. */
    synchronized void forgetPauses() {
        pauseNanos = 0;
    }

    /** From here on progress counts. */
    synchronized void mark() {
        mark = count;
    }

    /** Whether there was enough progress since the mark. */
    synchronized boolean wentOn() {
        return count - mark >= enough;
    }

    /** The longest pause; one that lasts counts as far as it has come. */
    synchronized long pauseNanos() {
        return Math.max(pauseNanos, System.nanoTime() - stepNanos);
    }

    @Override
    public synchronized String toString() {
        return name + ": " + (count - mark) + " of " + enough;
    }
}
