/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.function.LongToIntFunction;

/**
 * How many threads of the whole machine run or want to, as the kernel counts them in {@code /proc/loadavg}. Read anew
 * at most once in a millisecond, by whoever asks. Thread-safe; allocates nothing.
 */
final class RunnableThreads implements LongToIntFunction {
    private static final long READ_NANOS = 1_000_000;
    private static final int LINE_BYTES = 64;

    private final RandomAccessFile file; // null where there is none; its monitor guards line
    private final byte[] line = new byte[LINE_BYTES];
    private volatile int count = 1;
    private volatile long readNanos = System.nanoTime() - READ_NANOS;

    /** Opens the kernel's file; where there is none, one thread is thought to run: the one that asks. */
    RunnableThreads() {
        RandomAccessFile opened;
        try {
            opened = new RandomAccessFile("/proc/loadavg", "r");
        } catch (FileNotFoundException e) {
            opened = null;
        }
        file = opened;
    }

    /**
     * The count, at most a millisecond old.
     *
     * @param nowNanos the present {@link System#nanoTime}
     * @return the calling thread among them
     */
    @Override
    public int applyAsInt(long nowNanos) {
        if (file != null && nowNanos - readNanos >= READ_NANOS) {
            readNanos = nowNanos; // others go on with the old count meanwhile
            count = read();
        }
        return count;
    }

    private int read() {
        synchronized (file) {
            try {
                file.seek(0);
                return parse(line, file.read(line));
            } catch (IOException e) {
                return 1;
            }
        }
    }

    /** The number before the slash, as in {@code 0.20 0.18 0.12 1/80 11206}; 1 where there is none. */
    static int parse(byte[] line, int length) {
        int number = 0;
        for (int i = 0; i < length; i++) {
            byte c = line[i];
            if (c == '/') {
                return Math.max(1, number);
            }
            number = c >= '0' && c <= '9' ? number * 10 + c - '0' : 0;
        }
        return 1;
    }
}
