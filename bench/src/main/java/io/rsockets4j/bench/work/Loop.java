/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a connection's next request is due.
 *
 * @param percent 0 for a closed loop: when the answer has come; else an open loop: by a clock, so often that all
 *     connections together make this share of the best rate that TCP reached in the closed loop
 */
public record Loop(int percent) {
    /** The next request is due when the answer has come. */
    public static final Loop CLOSED = new Loop(0);

    private static final Pattern OPEN = Pattern.compile("open([1-9][0-9]?|100)");

    /**
     * Reads a loop.
     *
     * @param text {@code closed}, or {@code open} and a percentage, such as {@code open30}
     * @return the loop
     * @throws IllegalArgumentException if it is none
     */
    public static Loop parse(String text) {
        Matcher open = OPEN.matcher(text);
        if (open.matches()) {
            return new Loop(Integer.parseInt(open.group(1)));
        } else if (text.equals("closed")) {
            return CLOSED;
        }
        throw new IllegalArgumentException("not a loop: \"" + text + "\", write closed, or for example open30");
    }

    /** Tells which it is: true unless requests are due by a clock. */
    public boolean isClosed() {
        return percent == 0;
    }

    /** Writes what {@link #parse} reads. */
    @Override
    public String toString() {
        return isClosed() ? "closed" : "open" + percent;
    }
}
