/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many descriptors sessions may take. Other processes may make this one hold a quarter of its descriptors; the
 * program keeps the rest. A session takes three, so no session begins where hardly more are left: they are for the
 * program, and a connection by TCP takes one alone. Thread-safe; reads files, and does not block.
 */
public final class DescriptorBudget {
    /** How many are left to the program at least. */
    public static final int LEFT = 12;

    private static final Log LOG = Log.of(DescriptorBudget.class);
    private static final int LIMITS_BYTES = 4096;
    private static final int USUAL_LIMIT = 1024; // where nobody tells

    private static final int SHARE = 4;
    private static final int MOST = 16_384;

    private final AtomicInteger held = new AtomicInteger();
    private volatile int allowed; // 0 until first asked for

    /** Creates a budget of which nothing is taken. */
    public DescriptorBudget() { }

    /**
     * Takes some.
     *
     * @param count how many
     * @throws PathException if there are not so many left
     */
    public void take(int count) throws PathException {
        if (held.addAndGet(count) > allowed()) {
            held.addAndGet(-count);
            throw new PathException(Reason.TOO_MANY, "other processes hold " + held.get() + " descriptors of "
                    + allowed() + " that they may; raise ulimit -n");
        }
    }

    /**
     * Gives some back.
     *
     * @param count how many
     */
    public void giveBack(int count) {
        held.addAndGet(-count);
    }

    /**
     * How many may be taken.
     *
     * @return the same each time
     */
    public int allowed() {
        int known = allowed;
        if (known == 0) {
            known = Math.min(MOST, limit() / SHARE);
            allowed = known;
        }
        return known;
    }

    /**
     * Makes sure that there are enough for a session, by taking them for a moment: nothing else tells how many are
     * free.
     *
     * @throws PathException if not
     */
    public static void requireSpare() throws PathException {
        IOException shortage = tryOut();
        if (shortage != null) { // made now, as its classes may come from a file
            throw new PathException(Reason.NO_DESCRIPTORS, "fewer than " + LEFT
                    + " descriptors are free, which are left to the program (" + shortage.getMessage() + ")", shortage);
        }
    }

    private static IOException tryOut() {
        FileInputStream[] taken = new FileInputStream[LEFT];
        try {
            for (int i = 0; i < taken.length; i++) {
                taken[i] = new FileInputStream("/dev/null");
            }
            return null;
        } catch (IOException e) {
            return e;
        } finally {
            for (FileInputStream one : taken) {
                giveBack(one);
            }
        }
    }

    private static void giveBack(FileInputStream one) {
        try {
            if (one != null) {
                one.close();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a descriptor could not be given back", e);
        }
    }

    /**
     * How many this process may have.
     *
     * @return the soft limit, or a usual one where nobody tells
     */
    public static int limit() {
        try (FileInputStream in = new FileInputStream(ProcessLimits.LIMITS)) {
            return openFiles(new String(in.readNBytes(LIMITS_BYTES), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no limits to read", e);
            return USUAL_LIMIT;
        }
    }

    /** The soft limit in a text as the kernel writes it: {@code Max open files  1024  524288  files}. */
    static int openFiles(String limits) {
        long soft = ProcessLimits.soft(limits, ProcessLimits.OPEN_FILES);
        return soft == ProcessLimits.UNKNOWN ? USUAL_LIMIT : (int) Math.min(Integer.MAX_VALUE, soft);
    }
}
