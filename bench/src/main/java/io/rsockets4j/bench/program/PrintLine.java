/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.program;

/** Prints one line. */
public final class PrintLine {
    private PrintLine() {}

    /** Prints the line. */
    public static void main(String[] args) {
        System.out.println("@hello");
    }
}
