/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs.netty.channel.epoll;

/** Stands for the class of this name in a copy of Netty that a library has moved to a package of its own. */
public final class Epoll {
    private static final String NO_NATIVE =
            System.getProperty("io.rsockets4j.agent.programs.netty.transport.noNative");

    private Epoll() { }

    public static void main(String[] args) {
        System.out.println("noNative=" + NO_NATIVE);
    }
}
