/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Echoes on the connection that whoever started this program has accepted, and handed over as standard input. */
public final class Inherited {
    private Inherited() { }

    public static void main(String[] args) throws Exception {
        try (SocketChannel channel = (SocketChannel) System.inheritedChannel()) {
            ByteBuffer buffer = ByteBuffer.allocate(1000);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                buffer.clear();
            }
        }
    }
}
