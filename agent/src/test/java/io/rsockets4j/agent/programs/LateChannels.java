/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;

/** Uses channels for the first time when its input ends. */
public final class LateChannels {
    private LateChannels() { }

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        System.in.transferTo(System.out);
        try (ServerSocketChannel listener = ServerSocketChannel.open(); SocketChannel client = SocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread server = Echo.serve(listener.socket());
            client.connect(listener.getLocalAddress());
            Echo.check(client.socket());
            server.join();
        }
        try (AsynchronousServerSocketChannel listener = AsynchronousServerSocketChannel.open();
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Future<AsynchronousSocketChannel> accepted = listener.accept();
            client.connect(listener.getLocalAddress()).get();
            accepted.get().write(ByteBuffer.wrap(new byte[] {5})).get();
            ByteBuffer received = ByteBuffer.allocate(1);
            if (client.read(received).get() != 1 || received.get(0) != 5) {
                throw new AssertionError("what came is not what was sent");
            }
            accepted.get().close();
        }
    }
}
