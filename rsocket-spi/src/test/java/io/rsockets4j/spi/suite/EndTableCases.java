/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Transcript;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered once one side has ended: a close of this side, an end or a reset of the peer's. */
abstract class EndTableCases extends OracleCase {
    /** A call that answers nothing. */
    private interface Call {
        void run() throws Exception;
    }

    private static Callable<Object> nothing(Call call) {
        return () -> {
            call.run();
            return "done";
        };
    }

    // ---- this side has closed

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotConnectAChannelThatIsClosed(boolean blocking) throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            ServerSocketChannel server = listen(sockets);
            SocketChannel used = open(sockets);
            used.connect(server.getLocalAddress());
            closing(server.accept());
            used.configureBlocking(blocking);
            used.close();
            connectClosed(transcript, "used", used, server.getLocalAddress());
            SocketChannel fresh = open(sockets);
            fresh.configureBlocking(blocking);
            fresh.close();
            connectClosed(transcript, "fresh", fresh, server.getLocalAddress());
            server.configureBlocking(false);
            return transcript.note("accept", server::accept);
        });
    }

    private static void connectClosed(Transcript transcript, String which, SocketChannel closed,
            SocketAddress address) {
        Socket adaptor = closed.socket();
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("host.invalid", 1);
        transcript.note(which + " connect", () -> closed.connect(address))
                .note(which + " connect nowhere", () -> closed.connect(unresolved))
                .note(which + " finish", closed::finishConnect)
                .note(which + " socket's connect", nothing(() -> adaptor.connect(address)))
                .note(which + " socket's connect in time", nothing(() -> adaptor.connect(address, 1000)))
                .note(which + " socket's connect nowhere", nothing(() -> adaptor.connect(unresolved)))
                .note(which + " open", closed::isOpen)
                .note(which + " connected", closed::isConnected)
                .note(which + " pending", closed::isConnectionPending);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotAcceptOnAChannelThatIsClosed(boolean blocking) throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            acceptClosed(transcript, "bound", listen(sockets), blocking);
            acceptClosed(transcript, "fresh", openServer(sockets), blocking);
            ServerSocketChannel timed = listen(sockets);
            timed.socket().setSoTimeout(1000);
            acceptClosed(transcript, "timed", timed, blocking);
            return transcript;
        });
    }

    private static void acceptClosed(Transcript transcript, String which, ServerSocketChannel server, boolean blocking)
            throws IOException {
        server.configureBlocking(blocking);
        server.close();
        transcript.note(which + " accept", server::accept)
                .note(which + " socket's accept", () -> server.socket().accept());
    }
}
