/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

/** The threads of a group. Thread-safe. */
interface Crew {
    /** Starts the threads. */
    void start();

    /**
     * Has a task run by one of the threads.
     *
     * @param task in no queue yet
     * @throws java.nio.channels.ShutdownChannelGroupException if they run nothing any more
     */
    void submit(Task task);

    /** The group has terminated: the threads end when they have run what was submitted. */
    void stop();
}
