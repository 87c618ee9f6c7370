/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

/** Something for a group's threads to do. It is at most once in a queue, and its own node there. */
abstract class Task implements Runnable {
    /** The next in the queue; guarded by the queue's lock. */
    Task next;
    /** Whether it is in the queue; guarded by the queue's lock. */
    boolean queued;

    /** It waits for a thread of an executor from now on, and need not be found again. */
    void suspend() {
        // most tasks are not looked for
    }
}
