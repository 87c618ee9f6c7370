/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

/** Starts virtual threads on a JDK that has them, though this is compiled for one that has not. */
public final class VirtualThreadStarter {
    /** The first version of Java that has them. */
    public static final int SINCE = 21;

    private VirtualThreadStarter() {}

    /**
     * Starts a thread.
     *
     * @param task what it does
     * @throws UnsupportedOperationException before JDK 21
     */
    public static void start(Runnable task) {
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("virtual threads need JDK " + SINCE + " or later, this is "
                    + Runtime.version(), e);
        }
    }
}
