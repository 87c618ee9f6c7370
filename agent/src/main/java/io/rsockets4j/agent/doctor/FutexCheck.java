/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.util.List;
import java.util.function.Supplier;

/**
 * Whether threads can sleep by the kernel's futex, where a peer wakes them with nobody in between.
 *
 * @param failure loads the futex; null, or why there is none
 * @param shmWanted whether a lack of it matters
 */
record FutexCheck(Supplier<String> failure, boolean shmWanted) implements Check {
    private static final String SUBJECT = "futex";

    @Override
    public List<Finding> run() {
        String cause = failure.get();
        return List.of(cause == null ? Finding.ok(SUBJECT, "can be used")
                : Finding.lack(shmWanted, SUBJECT, cause,
                "Another thread has to wake those who sleep over shm, which takes twice as long.",
                "java -Djna.tmpdir=DIR PROGRAM  # before Java 22: a folder that may hold programs; or use Java 22"));
    }
}
