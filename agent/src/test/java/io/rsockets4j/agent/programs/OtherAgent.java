/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** An agent that opens channels and a selector before the program, as one with an HTTP server for metrics does. */
public final class OtherAgent {
    private static Selector kept;

    private OtherAgent() { }

    /** Called by the JVM. */
    public static void premain(String args) throws IOException {
        kept = Selector.open();
        SocketChannel.open().close();
        AsynchronousSocketChannel.open().close();
        System.out.println(kept.isOpen() ? "other agent" : "closed");
    }
}
