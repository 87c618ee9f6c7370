/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

/** Uses no socket. */
public final class Nothing {
    private Nothing() { }

    public static void main(String[] args) {
        System.out.println("ran");
    }
}
