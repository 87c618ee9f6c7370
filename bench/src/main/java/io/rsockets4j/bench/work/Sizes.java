/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes message lengths. */
public final class Sizes {
    private static final Pattern SYNTAX = Pattern.compile("([1-9][0-9]{0,8})([km]?)(?:i?b)?");
    private static final int SMALLEST = Long.BYTES;
    private static final int LARGEST = 1 << 30;

    private Sizes() {}

    /**
     * Reads a length.
     *
     * @param text such as 64, 4k or 1m
     * @return the length in bytes
     * @throws IllegalArgumentException if it is none, shorter than a stamp or longer than a gibibyte
     */
    public static int parse(String text) {
        Matcher matcher = SYNTAX.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a size: \"" + text + "\", write for example 64, 4k or 1m");
        }
        int shift = matcher.group(2).isEmpty() ? 0 : matcher.group(2).equals("k") ? 10 : 20;
        long bytes = Long.parseLong(matcher.group(1)) << shift;
        if (bytes < SMALLEST || bytes > LARGEST) {
            throw new IllegalArgumentException("size " + text + " is not within " + SMALLEST + " B and 1 GiB");
        }
        return (int) bytes;
    }

    /**
     * Writes a length.
     *
     * @param bytes the length
     * @return such as 64 B, 4 KiB or 1 MiB
     */
    public static String format(int bytes) {
        if (bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
    }
}
