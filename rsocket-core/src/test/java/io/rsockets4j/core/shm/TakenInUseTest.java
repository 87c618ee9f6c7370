/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.bell.Faults;
import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process of the same user takes back the memory of sessions and slots while threads use it, by code that is
 * compiled. Their connections are reset, and no thread is left with an error that the JVM throws later.
 */
@Timeout(120)
class TakenInUseTest {
    private static final int COMPILED = 30_000;
    private static final int TIMES = 20;
    private static final int WORDS = 73_728; // of a slot file; longer than a session's file

    /** What a thread of the program does. */
    enum Use {
        SEND((test, link) -> link.send(ByteBuffer.allocate(100))),
        SEND_MUCH((test, link) -> link.send(ByteBuffer.allocateDirect(100_000))),
        SEND_URGENT((test, link) -> link.sendUrgent(ByteBuffer.allocate(1))),
        RECEIVE((test, link) -> link.receive(ByteBuffer.allocate(100))),
        LOOK((test, link) -> link.isReady(OP_READ)),
        LOOK_FOR_ROOM((test, link) -> link.isReady(OP_WRITE)),
        COUNT((test, link) -> link.available()),
        SPIN((test, link) -> link.spin(OP_READ)),
        SLEEP((test, link) -> link.sleep(OP_READ, System.nanoTime() + 1_000_000)),
        ARM((test, link) -> {
            Waiter nobody = source -> { };
            link.arm(OP_READ | OP_WRITE, nobody);
            link.disarm(nobody);
        }),
        WAKE((test, link) -> link.wake()),
        SHUT_DOWN((test, link) -> link.shutdownOutput()),
        CLOSE((test, link) -> link.close(false)),
        CONNECT((test, link) -> Fabrics.connect(test.hostile, test.listening.address()).close(true)),
        ACCEPT((test, link) -> test.listening.queue().pollPending());

        private final Action action;

        Use(Action action) {
            this.action = action;
        }
    }

    /** A use of a link. */
    interface Action {
        void run(TakenInUseTest test, ShmLink link) throws IOException;
    }

    @TempDir
    private Path directory;
    private Fabrics.Listening listening;
    private ShmFabric hostile;
    private ShmLink client;
    private ShmLink server;

    @BeforeEach
    void listen() throws IOException {
        FutexSwitch.on();
        listening = Fabrics.listen(Fabrics.open(directory));
    }

    @AfterEach
    void othersAreServed() throws Exception {
        connect();
        echo(client, server);
        closeBoth();
        listening.queue().close();
        assertThat(Faults.take()).as("an error that is left").isFalse();
    }

    private void connect() throws Exception {
        hostile = Fabrics.open(directory);
        client = Fabrics.connect(hostile, listening.address());
        server = listening.accept();
    }

    private void closeBoth() {
        client.close(false);
        server.close(false);
    }

    private static void echo(ShmLink one, ShmLink other) throws IOException {
        Streams.writeByte(one, 42);
        assertThat(Streams.readByte(other)).isEqualTo(42);
        Streams.writeByte(other, 43);
        assertThat(Streams.readByte(one)).isEqualTo(43);
    }

    private void compile() throws Exception {
        connect();
        for (int round = 0; round < COMPILED; round++) {
            echo(client, server);
            server.isReady(OP_READ);
            server.isReady(OP_WRITE);
            server.available();
        }
        closeBoth();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNoErrorToTheProgram(Use use) throws Exception {
        compile();
        for (int time = 0; time < TIMES; time++) {
            connect();
            echo(client, server);
            SharedFiles.takeBack(directory, time % 2 == 0 ? 0 : WORDS, time % 3 == 2);
            use(use, time % 4 < 2 ? client : server);
            assertThat(Faults.take()).as("an error that is left, time %d", time).isFalse();
            closeBoth();
            assertThat(Faults.take()).as("an error that a close has left, time %d", time).isFalse();
        }
    }

    private void use(Use use, ShmLink link) {
        try {
            use.action.run(this, link);
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotNull(); // a reset, or a connect that fails: what programs expect
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false", "0, true", "73728, false", "4096, false"})
    void shouldResetConnectionsThatAreInUse(long kept, boolean zeros) throws Exception {
        for (int time = 0; time < TIMES; time++) {
            connect();
            CompletableFuture<Boolean> asks = start(time, () -> {
                for (;;) {
                    echoOnce(client, 42);
                }
            });
            CompletableFuture<Boolean> answers = start(time, () -> {
                for (;;) {
                    answerOnce(server);
                }
            });
            long before = server.bytesReceived();
            Eventually.until("bytes flow", () -> server.bytesReceived() > before + COMPILED / TIMES);
            SharedFiles.takeBack(directory, kept, zeros);
            assertThat(asks.get(30, TimeUnit.SECONDS)).as("an error is left").isFalse();
            assertThat(answers.get(30, TimeUnit.SECONDS)).as("an error is left").isFalse();
            closeBoth();
        }
    }

    private static void echoOnce(ShmLink link, int value) throws IOException {
        Streams.writeByte(link, value);
        if (Streams.readByte(link) != value) {
            throw new IOException("the end, or what memory that was taken back says");
        }
    }

    private static void answerOnce(ShmLink link) throws IOException {
        Streams.writeByte(link, Streams.readByte(link));
    }

    /** What a thread of a connection does until that ends. */
    interface Traffic {
        void run() throws IOException;
    }

    /** Starts a thread; its outcome is whether the connection's end has left an error that comes later. */
    private static CompletableFuture<Boolean> start(int time, Traffic traffic) {
        CompletableFuture<Boolean> left = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                traffic.run();
            } catch (IOException e) {
                left.complete(Faults.take());
            } catch (Throwable e) {
                left.completeExceptionally(e);
            }
        }, "traffic-" + time);
        thread.setDaemon(true);
        thread.start();
        return left;
    }
}
