/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

/** A way to the kernel for {@link Futex}: the system call, as it is. Thread-safe. */
public interface FutexCall {
    /**
     * The system call. It may block.
     *
     * @param address of the word
     * @param operation which one
     * @param value what the word must have, or how many to wake
     * @param timeLimit address of a timespec, or 0
     * @return what the kernel says; negative for errors
     */
    long call(long address, long operation, long value, long timeLimit);

    /**
     * The number of the system call on this machine.
     *
     * @return for {@code syscall(2)}
     * @throws UnsupportedOperationException on machines that nobody has tried
     */
    static long number() {
        return number(machine());
    }

    /**
     * The same on another machine.
     *
     * @param machine as {@link #machine} names it
     * @return for {@code syscall(2)}
     * @throws UnsupportedOperationException on machines that nobody has tried
     */
    static long number(String machine) {
        if (machine.equals("amd64") || machine.equals("x86_64")) {
            return 202;
        }
        if (machine.equals("aarch64") || machine.equals("riscv64")) {
            return 98;
        }
        throw new UnsupportedOperationException("threads sleep without a futex on " + machine);
    }

    /**
     * The kind of this machine.
     *
     * @return as Java names it
     */
    static String machine() {
        return System.getProperty("os.arch");
    }
}
