/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Transcript;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered once one side has ended: a close of this side, an end or a reset of the peer's. */
abstract class EndTableCases extends OracleCase {
    private static final long LIMIT_MILLIS = 20_000;

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

    @Test
    @Requires(Capability.SOCKET)
    void shouldSayTheEndOfASocketAgainOnceItIsClosed() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            SocketPair ended = connectSockets(sockets);
            InputStream in = ended.client().getInputStream();
            ended.server().close();
            transcript.note("the end", in::read);
            ended.client().close();
            readClosed(transcript, "ended", in);
            Socket shut = connectSockets(sockets).client();
            InputStream shutIn = shut.getInputStream();
            shut.shutdownInput();
            transcript.note("shut", shutIn::read);
            shut.close();
            readClosed(transcript, "shut", shutIn);
            Socket unread = connectSockets(sockets).client();
            InputStream unreadIn = unread.getInputStream();
            unread.shutdownInput();
            unread.close();
            readClosed(transcript, "shut and not read", unreadIn);
            return transcript;
        });
    }

    @Test
    void shouldNotSayTheEndOfAChannelAgainOnceItIsClosed() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            Pair pair = connect(sockets);
            InputStream in = pair.client().socket().getInputStream();
            pair.server().close();
            transcript.note("the end", in::read);
            pair.client().close();
            readClosed(transcript, "ended", in);
            return transcript;
        });
    }

    private static void readClosed(Transcript transcript, String which, InputStream in) {
        transcript.note(which + " read", in::read)
                .note(which + " read some", () -> in.read(new byte[3]))
                .note(which + " read none", () -> in.read(new byte[3], 0, 0))
                .note(which + " read all", () -> in.readAllBytes().length)
                .note(which + " skip", () -> in.skip(5));
    }

    // ---- the peer has closed

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLoseAllOfTheFirstWriteAfterThePeersEnd(boolean blocking) throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            SocketChannel gather = withClosedPeer(sockets, blocking);
            transcript.note("gather", () -> gather.write(new ByteBuffer[] {bytes(4), bytes(8), bytes(0), bytes(3)}));
            writeUntilItFails(transcript, gather);
            SocketChannel emptyFirst = withClosedPeer(sockets, blocking);
            transcript.note("gather, empty first", () -> emptyFirst.write(new ByteBuffer[] {bytes(0), bytes(8)}));
            writeUntilItFails(transcript, emptyFirst);
            SocketChannel afterEmpty = withClosedPeer(sockets, blocking);
            transcript.note("empty", () -> afterEmpty.write(bytes(0)))
                    .note("after empty", () -> afterEmpty.write(bytes(1)));
            writeUntilItFails(transcript, afterEmpty);
            return transcript;
        });
    }

    @Test
    void shouldLoseAllOfTheFirstAsynchronousWriteAfterThePeersEnd() throws Exception {
        assertAsOverTcp(sockets -> {
            AsyncPair pair = connectAsync(sockets);
            pair.server().close();
            ByteBuffer[] two = {bytes(4), bytes(8)};
            Handled<Long> written = new Handled<>();
            return new Transcript()
                    .note("the end", () -> pair.client().read(bytes(1)).get(LIMIT_MILLIS, TimeUnit.MILLISECONDS))
                    .note("gather", () -> {
                        pair.client().write(two, 0, 2, 0, TimeUnit.SECONDS, null, written);
                        return written.result();
                    });
        });
    }

    private SocketChannel withClosedPeer(Sockets from, boolean blocking) throws Exception {
        Pair pair = connect(from);
        pair.server().close();
        pair.client().read(bytes(1)); // waits for the end
        pair.client().configureBlocking(blocking);
        return pair.client();
    }

    /** TCP is told by the peer that the first write was lost, which takes a moment. */
    private static void writeUntilItFails(Transcript transcript, SocketChannel channel) throws Exception {
        transcript.note("later", () -> {
            Threads.await("a failure", () -> {
                channel.write(bytes(1));
                return false;
            });
            return null;
        });
        transcript.note("later, empty", () -> channel.write(bytes(0)))
                .note("later, gather of empty ones", () -> channel.write(new ByteBuffer[] {bytes(0), bytes(0)}))
                .note("read", () -> channel.read(bytes(1)));
    }

    // ---- the peer has reset

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellOfAResetOnceByAWrite(boolean blocking) throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            SocketChannel channel = withResetPeer(sockets, 0, blocking);
            transcript.note("write none", () -> channel.write(bytes(0)))
                    .note("write", () -> channel.write(bytes(1)))
                    .note("write again", () -> channel.write(bytes(1)))
                    .note("read", () -> channel.read(bytes(1)))
                    .note("write after that", () -> channel.write(bytes(1)))
                    .note("write none after that", () -> channel.write(bytes(0)));
            afterReset(transcript, channel);
            SocketChannel unread = withResetPeer(sockets, 5, blocking);
            ByteBuffer four = bytes(4);
            transcript.note("write, bytes unread", () -> unread.write(four))
                    .note("not written", four::remaining)
                    .note("read 3", () -> unread.read(bytes(3)))
                    .note("read 2", () -> unread.read(bytes(3)))
                    .note("read", () -> unread.read(bytes(3)))
                    .note("write again", () -> unread.write(bytes(1)));
            SocketChannel gather = withResetPeer(sockets, 0, blocking);
            transcript.note("gather", () -> gather.write(new ByteBuffer[] {bytes(4), bytes(8)}))
                    .note("gather again", () -> gather.write(new ByteBuffer[] {bytes(4), bytes(8)}))
                    .note("read", () -> gather.read(bytes(3)));
            return transcript;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellOfAResetByReads(boolean blocking) throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            SocketChannel channel = withResetPeer(sockets, 0, blocking);
            transcript.note("read", () -> channel.read(bytes(1)))
                    .note("read again", () -> channel.read(bytes(1)))
                    .note("write", () -> channel.write(bytes(1)))
                    .note("write none", () -> channel.write(bytes(0)))
                    .note("write none of two", () -> channel.write(new ByteBuffer[] {bytes(0), bytes(0)}));
            afterReset(transcript, channel);
            SocketChannel shut = withResetPeer(sockets, 0, blocking);
            transcript.note("shut input before", () -> shut.shutdownInput().isOpen())
                    .note("read", () -> shut.read(bytes(1)))
                    .note("write", () -> shut.write(bytes(1)));
            return transcript;
        });
    }

    private static void afterReset(Transcript transcript, SocketChannel channel) {
        transcript.note("shut input", () -> channel.shutdownInput().isOpen())
                .note("read once shut", () -> channel.read(bytes(1)))
                .note("scatter once shut", () -> channel.read(new ByteBuffer[] {bytes(1), bytes(1)}))
                .note("shut output", () -> channel.shutdownOutput().isOpen())
                .note("write once shut", () -> channel.write(bytes(1)));
    }

    /** Waits for the reset: it makes readable what has nothing to read, or writable what is full. */
    private SocketChannel withResetPeer(Sockets from, int unread, boolean blocking) throws Exception {
        Pair pair = connect(from);
        int untilReset = SelectionKey.OP_READ;
        if (unread > 0) {
            pair.server().write(bytes(unread));
            Wire.fillUp(pair.client());
            untilReset = SelectionKey.OP_WRITE;
        }
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        pair.client().configureBlocking(false);
        try (Selector selector = pair.client().provider().openSelector()) {
            pair.client().register(selector, untilReset);
            if (selector.select(LIMIT_MILLIS) == 0) {
                throw new AssertionError("no reset has come");
            }
        }
        pair.client().configureBlocking(blocking);
        return pair.client();
    }

    /** Over loopback a reset has arrived when the close returns. */
    @Test
    @Requires(Capability.SOCKET)
    void shouldTellOfAResetOfASocketAsOverTcp() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            Socket writer = socketWithResetPeer(sockets);
            InputStream in = writer.getInputStream();
            OutputStream out = writer.getOutputStream();
            transcript.note("write", nothing(() -> out.write(1)))
                    .note("write again", nothing(() -> out.write(1)))
                    .note("read", in::read)
                    .note("write after that", nothing(() -> out.write(new byte[3])));
            Socket reader = socketWithResetPeer(sockets);
            InputStream readerIn = reader.getInputStream();
            OutputStream readerOut = reader.getOutputStream();
            transcript.note("read", readerIn::read)
                    .note("read again", readerIn::read)
                    .note("available", readerIn::available)
                    .note("write", nothing(() -> readerOut.write(1)))
                    .note("shut input", nothing(reader::shutdownInput))
                    .note("read once shut", readerIn::read)
                    .note("shut output", nothing(reader::shutdownOutput));
            reader.close();
            readClosed(transcript, "reset", readerIn);
            return transcript;
        });
    }

    private Socket socketWithResetPeer(Sockets from) throws IOException {
        SocketPair pair = connectSockets(from);
        pair.server().setSoLinger(true, 0);
        pair.server().close();
        return pair.client();
    }

    // ---- urgent bytes, and the rest

    @Test
    @Requires({Capability.SOCKET, Capability.URGENT_DATA})
    void shouldSayWhyASocketSendsNoUrgentByte() throws Exception {
        assertAsOverTcp(sockets -> {
            Socket shut = connectSockets(sockets).client();
            shut.shutdownOutput();
            Socket reset = socketWithResetPeer(sockets);
            Socket closed = connectSockets(sockets).client();
            closed.close();
            return new Transcript().note("shut", nothing(() -> shut.sendUrgentData(1)))
                    .note("reset", nothing(() -> reset.sendUrgentData(1)))
                    .note("reset before", nothing(() -> reset.sendUrgentData(1)))
                    .note("closed", nothing(() -> closed.sendUrgentData(1)));
        });
    }

    @Test
    @Requires(Capability.URGENT_DATA)
    void shouldSayWhyAChannelSendsNoUrgentByte() throws Exception {
        assertAsOverTcp(sockets -> {
            SocketChannel shut = connect(sockets).client();
            shut.shutdownOutput();
            SocketChannel reset = withResetPeer(sockets, 0, true);
            SocketChannel closed = connect(sockets).client();
            closed.close();
            return new Transcript().note("shut", nothing(() -> shut.socket().sendUrgentData(1)))
                    .note("reset", nothing(() -> reset.socket().sendUrgentData(1)))
                    .note("reset before", nothing(() -> reset.socket().sendUrgentData(1)))
                    .note("closed", nothing(() -> closed.socket().sendUrgentData(1)));
        });
    }

    @Test
    void shouldNameTheCauseWhereAConnectedSocketIsNotBound() throws Exception {
        assertAsOverTcp(sockets -> {
            Socket adaptor = connect(sockets).client().socket();
            return new Transcript().note("bind", nothing(() -> adaptor.bind(anyPort()))).note("its cause", () -> {
                try {
                    adaptor.bind(anyPort());
                    return "none";
                } catch (IOException e) {
                    return e.getCause();
                }
            });
        });
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }
}
