/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

/**
 * Errors that the JVM has still to throw. It tells of a fault in mapped memory by an {@link InternalError}, but late:
 * Java 17 at the next call into its runtime that looks for one, which may be in the program.
 */
public final class Faults {
    private static volatile int rows = 1; // no constant for the compilers

    private Faults() { }

    /**
     * Has the JVM throw the errors of faults that are known, which the program would get later. It looks for one where
     * it makes an array of arrays; Java 17 does not where a native method returns. Java 25 has one for each fault, of
     * which there are two or three, and a few more where much was copied. No loop: an error that comes at its end is
     * caught by nobody in compiled code.
     *
     * @return whether there was one
     */
    public static boolean take() {
        boolean any = isError() | isError() | isError();
        return any && (isError() | isError() | isError() | isError() | isError() | isError() | any);
    }

    private static boolean isError() {
        try {
            return new int[rows][rows].length != rows;
        } catch (InternalError e) {
            return true;
        }
    }
}
