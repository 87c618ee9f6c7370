/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Transcript;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's helpers around a channel in every state of it: results, exceptions, and what is open afterwards. */
@Requires({Capability.HELPERS, Capability.TODAYS_HELPERS})
abstract class LibraryTableCases extends OracleCase {
    private static final int SIZE = 10;
    private static final int LARGE = 64 * 1024 * 1024;

    @TempDir
    Path directory;

    /** What is done with a channel and a file that has {@link #SIZE} bytes. */
    private interface Use {
        void run(Transcript transcript, String state, SocketChannel channel, FileChannel file) throws Exception;
    }

    @Test
    void shouldTransferToAsOverTcp() throws Exception {
        inEveryState((transcript, state, channel, file) -> {
            transcript.note(state + " all and more", () -> file.transferTo(0, SIZE + 1, channel))
                    .note(state + " a part", () -> file.transferTo(3, 4, channel))
                    .note(state + " nothing", () -> file.transferTo(0, 0, channel))
                    .note(state + " from the end", () -> file.transferTo(SIZE, 1, channel))
                    .note(state + " from behind the end", () -> file.transferTo(SIZE + 1, 1, channel))
                    .note(state + " from before the file", () -> file.transferTo(-1, 1, channel))
                    .note(state + " less than nothing", () -> file.transferTo(0, -1, channel));
            try (FileChannel unreadable = FileChannel.open(directory.resolve("file"), StandardOpenOption.WRITE)) {
                transcript.note(state + " unreadable", () -> unreadable.transferTo(0, 1, channel));
            }
        });
    }

    @Test
    void shouldTransferFromAsOverTcp() throws Exception {
        inEveryState((transcript, state, channel, file) -> {
            transcript.note(state + " a part", () -> file.transferFrom(channel, 3, 4))
                    .note(state + " nothing", () -> file.transferFrom(channel, 0, 0))
                    .note(state + " behind the end", () -> file.transferFrom(channel, 3 * SIZE, 1))
                    .note(state + " the rest", () -> file.transferFrom(channel, 0, state.equals("ended") ? SIZE : 5))
                    .note(state + " before the file", () -> file.transferFrom(channel, -1, 1))
                    .note(state + " less than nothing", () -> file.transferFrom(channel, 0, -1));
            try (FileChannel readOnly = FileChannel.open(directory.resolve("file"), StandardOpenOption.READ)) {
                transcript.note(state + " read only", () -> readOnly.transferFrom(channel, 0, 1));
            }
        });
    }

    @Test
    void shouldStreamAsOverTcp() throws Exception {
        inEveryState((transcript, state, channel, file) -> {
            InputStream in = Channels.newInputStream(channel);
            OutputStream out = Channels.newOutputStream(channel);
            transcript.note(state + " write nothing", () -> done(() -> out.write(new byte[1], 1, 0)))
                    .note(state + " write wrongly", () -> done(() -> out.write(new byte[1], 1, 1)))
                    .note(state + " write", () -> done(() -> out.write(1)))
                    .note(state + " write array", () -> done(() -> out.write(new byte[3])))
                    .note(state + " available", in::available)
                    .note(state + " read nothing", () -> in.read(new byte[1], 1, 0))
                    .note(state + " read wrongly", () -> in.read(new byte[1], 1, 1))
                    .note(state + " read", in::read)
                    .note(state + " read array", () -> in.read(new byte[3]))
                    .note(state + " available still", in::available)
                    .note(state + " close", () -> done(in::close))
                    .note(state + " available, closed", in::available)
                    .note(state + " read, closed", in::read)
                    .note(state + " write, closed", () -> done(() -> out.write(1)));
        });
    }

    /** In a channel that is connected, {@link #SIZE} bytes have arrived. */
    private void inEveryState(Use use) throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            in("fresh", transcript, open(sockets), use);
            in("connected", transcript, withInput(sockets).client(), use);
            Pair ended = withInput(sockets);
            ended.server().shutdownOutput();
            in("ended", transcript, ended.client(), use);
            in("output shut", transcript, withInput(sockets).client().shutdownOutput(), use);
            in("input shut", transcript, withInput(sockets).client().shutdownInput(), use);
            SocketChannel nonBlocking = withInput(sockets).client();
            nonBlocking.configureBlocking(false);
            in("non-blocking", transcript, nonBlocking, use);
            SocketChannel closed = withInput(sockets).client();
            closed.close();
            in("closed", transcript, closed, use);
            SocketChannel interrupted = withInput(sockets).client();
            Thread.currentThread().interrupt();
            in("interrupted", transcript, interrupted, use);
            return transcript;
        });
    }

    private Pair withInput(Sockets sockets) throws Exception {
        Pair pair = connect(sockets);
        Wire.writeFully(pair.server(), ByteBuffer.allocate(SIZE));
        ByteBuffer first = ByteBuffer.allocate(1);
        pair.client().read(first);
        Wire.writeFully(pair.server(), first.flip());
        return pair;
    }

    private void in(String state, Transcript transcript, SocketChannel channel, Use use) throws Exception {
        boolean interrupted = Thread.interrupted();
        Path path = directory.resolve("file");
        Files.write(path, new byte[SIZE]);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            try {
                use.run(transcript, state, channel, file);
            } finally {
                transcript.note(state + " interrupt status", Thread::interrupted);
            }
            transcript.note(state + " file open", file::isOpen).note(state + " channel open", channel::isOpen);
            if (file.isOpen()) {
                transcript.note(state + " file position", file::position).note(state + " file size", file::size);
            }
        }
    }

    @Test
    void shouldEndATransferToAsOverTcp() throws Exception {
        endAWait((file, channel) -> file.transferTo(0, LARGE, channel), "transferTo");
    }

    @Test
    void shouldEndATransferFromAsOverTcp() throws Exception {
        endAWait((file, channel) -> file.transferFrom(channel, 0, LARGE), "transferFrom");
    }

    @Test
    void shouldEndAReadOfAStreamAsOverTcp() throws Exception {
        endAWait((file, channel) -> Channels.newInputStream(channel).read(), "read");
    }

    /** What waits, for a peer that does nothing. */
    private interface Wait {
        Object call(FileChannel file, SocketChannel channel) throws Exception;
    }

    private void endAWait(Wait wait, String method) throws Exception {
        try (FileChannel source = FileChannel.open(directory.resolve("large"), StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
            source.write(ByteBuffer.allocate(1), LARGE - 1);
        }
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            end("closed", transcript, sockets, wait, method);
            end("interrupted", transcript, sockets, wait, method);
            end("shut", transcript, sockets, wait, method);
            return transcript;
        });
    }

    private void end(String how, Transcript transcript, Sockets sockets, Wait wait, String method) throws Exception {
        SocketChannel channel = connect(sockets).client();
        try (FileChannel file = FileChannel.open(directory.resolve("large"), StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            Task<Object> task = start(how, () -> {
                Transcript outcome = new Transcript();
                outcome.note(how, () -> some(wait.call(file, channel))).note(how + " status", Thread::interrupted);
                return outcome.lines();
            });
            task.awaitBlockedIn(method);
            switch (how) {
                case "closed" -> channel.close();
                case "interrupted" -> task.interrupt();
                default -> channel.shutdownInput().shutdownOutput();
            }
            transcript.note(how, task::join).note(how + " file open", file::isOpen)
                    .note(how + " channel open", channel::isOpen);
        }
    }

    /** How much fits before a wait is not TCP's. */
    private static Object some(Object count) {
        return count instanceof Long moved && moved > 0 ? "some" : count;
    }

    /** A call without a result. */
    private interface Call {
        void run() throws Exception;
    }

    private static Object done(Call call) throws Exception {
        call.run();
        return "done";
    }
}
