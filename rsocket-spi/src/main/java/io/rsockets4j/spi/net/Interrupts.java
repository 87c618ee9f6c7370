/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.fabric.VirtualThreads;
import java.io.InterruptedIOException;

/**
 * How interrupts and socket I/O go together: platform threads wait on and keep their interrupt status; virtual ones
 * fail, and their socket is closed. Waits end early when a thread is interrupted, so the status is cleared meanwhile.
 */
final class Interrupts {
    private Interrupts() { }

    /**
     * Ends the I/O of a virtual thread that was interrupted.
     *
     * @throws InterruptedIOException on a virtual thread: the JDK's socket closes itself when it sees this exception
     *         and the interrupt status
     */
    static void failIfVirtual() throws InterruptedIOException {
        if (VirtualThreads.isVirtual()) {
            throw new InterruptedIOException();
        }
    }

    /**
     * Sets the interrupt status again.
     *
     * @param interrupted whether it was cleared during a wait
     */
    static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
