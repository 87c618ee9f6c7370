/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.Reason;
import java.io.FileInputStream;
import java.io.IOException;

/**
 * Looks whether this process can spare descriptors. A session takes three; where hardly more are left, the program
 * needs them itself, and a connection by TCP takes one.
 */
final class Descriptors {
    /** How many are left to the program at least. */
    static final int LEFT = 12;

    private static final Log LOG = Log.of(Descriptors.class);

    private Descriptors() { }

    /**
     * Makes sure that there are enough for a session, by taking them for a moment: nothing else tells how many are
     * free.
     *
     * @throws PathException if not
     */
    static void requireSpare() throws PathException {
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
}
