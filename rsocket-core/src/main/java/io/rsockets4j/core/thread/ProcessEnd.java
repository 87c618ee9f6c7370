/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.thread;

/** How this process ends at once. Java 22 and later have another class of this name. */
public final class ProcessEnd {
    private ProcessEnd() { }

    /**
     * Ends the process, without shutdown hooks. Does not return.
     *
     * @param status what whoever started it sees
     */
    public static void now(int status) {
        Runtime.getRuntime().halt(status);
    }
}
