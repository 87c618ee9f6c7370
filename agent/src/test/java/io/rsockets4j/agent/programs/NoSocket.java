/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

/** Uses no socket, and prints the names of all threads. */
public final class NoSocket {
    private static final int ROOM = 100;

    private NoSocket() { }

    public static void main(String[] args) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] threads = new Thread[ROOM];
        int count = group.enumerate(threads);
        for (int i = 0; i < count; i++) {
            System.out.println("thread " + threads[i].getName());
        }
    }
}
