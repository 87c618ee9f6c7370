/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.plain;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * Connects to a peer, sets an option and closes, again and again: one method for each API and each maker of sockets, so
 * that the compiler sees them apart. The option is to linger for no time, so that no port stays taken.
 */
final class Connects {
    private Connects() { }

    /** Some connects, one after the other. */
    interface Loop {
        /** Connects so often. */
        void run(InetSocketAddress peer, int connects) throws IOException;
    }

    static void channels(InetSocketAddress peer, int connects) throws IOException {
        for (int i = 0; i < connects; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.connect(peer);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
    }

    static void channelsOfTheJdk(InetSocketAddress peer, int connects) throws IOException {
        for (int i = 0; i < connects; i++) {
            SocketChannel channel = JdkSockets.channel();
            channel.connect(peer);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
    }

    static void sockets(InetSocketAddress peer, int connects) throws IOException {
        for (int i = 0; i < connects; i++) {
            Socket socket = new Socket();
            socket.connect(peer);
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    static void socketsOfTheJdk(InetSocketAddress peer, int connects) throws IOException {
        for (int i = 0; i < connects; i++) {
            Socket socket = JdkSockets.socket();
            socket.connect(peer);
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
