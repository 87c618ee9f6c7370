/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.Reason;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many descriptors other processes may make this one hold by their sessions: a quarter of what it may have, so that
 * the program keeps the rest. Thread-safe; does not block.
 */
final class DescriptorBudget {
    private static final Log LOG = Log.of(DescriptorBudget.class);
    private static final String LIMITS = "/proc/self/limits";
    private static final int LIMITS_BYTES = 4096;
    private static final String OPEN_FILES = "Max open files";
    private static final int SHARE = 4;
    private static final int MOST = 16_384;
    private static final int USUAL_LIMIT = 1024; // where nobody tells

    private final AtomicInteger held = new AtomicInteger();
    private volatile int limit; // 0 until first asked for

    /**
     * Takes some.
     *
     * @throws PathException if there are not so many left
     */
    void take(int count) throws PathException {
        if (held.addAndGet(count) > limit()) {
            held.addAndGet(-count);
            throw new PathException(Reason.TOO_MANY, "other processes hold " + held.get() + " descriptors of "
                    + limit() + " that they may; raise ulimit -n");
        }
    }

    void giveBack(int count) {
        held.addAndGet(-count);
    }

    int limit() {
        int known = limit;
        if (known == 0) {
            known = Math.min(MOST, ofProcess() / SHARE);
            limit = known;
        }
        return known;
    }

    private static int ofProcess() {
        try (FileInputStream in = new FileInputStream(LIMITS)) {
            return openFiles(new String(in.readNBytes(LIMITS_BYTES), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no limits to read", e);
            return USUAL_LIMIT;
        }
    }

    /** The soft limit in a text as the kernel writes it: {@code Max open files  1024  524288  files}. */
    static int openFiles(String limits) {
        int line = limits.indexOf(OPEN_FILES);
        if (line < 0) {
            return USUAL_LIMIT;
        }
        int begin = line + OPEN_FILES.length();
        while (begin < limits.length() && limits.charAt(begin) == ' ') {
            begin++;
        }
        long number = 0;
        int end = begin;
        for (; end < limits.length() && limits.charAt(end) >= '0' && limits.charAt(end) <= '9'; end++) {
            number = Math.min(Integer.MAX_VALUE, 10 * number + limits.charAt(end) - '0');
        }
        return end == begin ? Integer.MAX_VALUE : (int) number; // "unlimited"
    }
}
