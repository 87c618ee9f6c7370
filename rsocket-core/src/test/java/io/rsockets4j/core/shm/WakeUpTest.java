/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SelectorWaiter;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.shm.ring.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that never spin and so sleep at each step: a wake-up that is lost stops them, which {@link Streams} reports.
 * Small rings make writers wait as well as readers.
 */
@ParameterizedClass(name = "futex = {0}")
@ValueSource(booleans = {true, false})
class WakeUpTest {
    private static final long LIMIT_SECONDS = 45;

    @TempDir
    private Path directory;
    private final boolean futex;
    private ShmFabric server;
    private ShmFabric client;
    private Fabrics.Listening listening;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<ShmLink> near = new ArrayList<>();
    private final List<ShmLink> far = new ArrayList<>();

    WakeUpTest(boolean futex) {
        this.futex = futex;
    }

    @BeforeEach
    void listen() throws IOException {
        if (futex) {
            FutexSwitch.on();
        } else {
            FutexSwitch.off();
        }
        server = Fabrics.open(directory);
        listening = Fabrics.listen(server);
        client = Fabrics.open(directory, "ring.bytes=8192");
    }

    @AfterEach
    void close() throws InterruptedException {
        near.forEach(link -> link.close(false));
        far.forEach(link -> link.close(false));
        listening.queue().close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        FutexSwitch.on();
    }

    private void connect(int links) throws Exception {
        for (int i = 0; i < links; i++) {
            near.add(Fabrics.connect(client, listening.address()));
            far.add(listening.accept());
        }
    }

    // ---- threads

    @Test
    void shouldWakeTwoThreads() throws Exception {
        pingPong(1, 20_000);
    }

    @Test
    void shouldWakeTenThreads() throws Exception {
        pingPong(5, 3_000);
    }

    @Test
    void shouldWakeFortyEightThreads() throws Exception {
        pingPong(24, 500);
    }

    private void pingPong(int links, int rounds) throws Exception {
        connect(links);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < links; i++) {
            Link nearEnd = near.get(i);
            Link farEnd = far.get(i);
            tasks.add(() -> {
                for (int round = 0; round < rounds; round++) {
                    Streams.writeByte(nearEnd, round);
                    assertThat((byte) Streams.readByte(nearEnd)).isEqualTo((byte) (round + 1));
                }
                return null;
            });
            tasks.add(() -> {
                for (int round = 0; round < rounds; round++) {
                    Streams.writeByte(farEnd, Streams.readByte(farEnd) + 1);
                }
                return null;
            });
        }
        runAll(tasks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 12})
    void shouldWakeReadersAndWritersOfStreamsInBothDirections(int links) throws Exception {
        connect(links);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < links; i++) {
            long bytes = (8L << 20) / links;
            tasks.addAll(stream(near.get(i), far.get(i), bytes));
            tasks.addAll(stream(far.get(i), near.get(i), bytes));
        }
        runAll(tasks);
    }

    private static List<Callable<Void>> stream(Link from, Link to, long bytes) {
        return List.of(() -> {
            SplittableRandom random = new SplittableRandom(1);
            for (long sent = 0; sent < bytes;) {
                int length = (int) Math.min(bytes - sent, random.nextInt(1, 6000));
                Streams.write(from, Payload.of(sent, length));
                sent += length;
            }
            from.shutdownOutput();
            return null;
        }, () -> {
            SplittableRandom random = new SplittableRandom(2);
            ByteBuffer dst = ByteBuffer.allocate(6000);
            long received = 0;
            while (Streams.readSome(to, dst.clear().limit(random.nextInt(1, 6000))) != Link.EOF) {
                received += dst.flip().remaining();
                Payload.check(dst, received - dst.limit());
            }
            assertThat(received).isEqualTo(bytes);
            return null;
        });
    }

    @Test
    void shouldWakeAReaderAtTheEndOfEachOfManyShortConnections() throws Exception {
        for (int round = 0; round < 1_000; round++) {
            ShmLink nearEnd = Fabrics.connect(client, listening.address());
            ShmLink farEnd = listening.accept();
            Future<Integer> end = threads.submit(() -> Streams.readByte(farEnd));
            if (round % 2 == 0) {
                nearEnd.shutdownOutput();
            } else {
                nearEnd.close(false);
            }
            assertThat(end.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(Link.EOF);
            nearEnd.close(false);
            farEnd.close(false);
        }
    }

    @Test
    void shouldWakeAReaderThatIsClosedByItsOwnSide() throws Exception {
        for (int round = 0; round < 1_000; round++) {
            ShmLink nearEnd = Fabrics.connect(client, listening.address());
            ShmLink farEnd = listening.accept();
            Future<Boolean> ready = threads.submit(() -> farEnd.await(OP_READ, Long.MAX_VALUE));
            farEnd.beginClose();
            assertThat(ready.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isFalse();
            farEnd.close(false);
            nearEnd.close(false);
        }
    }

    @Test
    void shouldWakeAWriterWhosePeerCloses() throws Exception {
        for (int round = 0; round < 200; round++) {
            ShmLink nearEnd = Fabrics.connect(client, listening.address());
            ShmLink farEnd = listening.accept();
            Future<Boolean> broken = threads.submit(() -> {
                try {
                    Streams.write(nearEnd, ByteBuffer.allocate(1 << 20));
                    Streams.writeByte(nearEnd, 1);
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
            farEnd.close(false);
            assertThat(broken.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            nearEnd.close(false);
        }
    }

    @Test
    void shouldWakeAWriterBeforeEverythingWasRead() throws Exception {
        connect(1);
        AtomicReference<Thread> thread = new AtomicReference<>();
        Future<?> writer = threads.submit(() -> {
            thread.set(Thread.currentThread());
            Streams.write(near.get(0), Payload.of(0, 8192 + 2048));
            return null;
        });
        Eventually.until("the ring is full", () -> far.get(0).available() == 8192);
        Eventually.asleepIn(thread.get(), "park");
        Payload.check(Streams.read(far.get(0), ByteBuffer.allocate(3000)), 0);
        writer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(far.get(0).available()).isEqualTo(8192 + 2048 - 3000);
    }

    @Test
    void shouldEndAWaitAtItsDeadlineAndWhenInterrupted() throws Exception {
        connect(1);
        Link link = near.get(0);
        assertThat(link.await(OP_READ, System.nanoTime() - 1)).isFalse();
        long started = System.nanoTime();
        assertThat(link.await(OP_READ, started + 20_000_000)).isFalse();
        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(20_000_000);
        Thread.currentThread().interrupt();
        assertThat(link.await(OP_READ, Long.MAX_VALUE)).isFalse();
        assertThat(Thread.interrupted()).as("the status is kept").isTrue();
        Streams.writeByte(far.get(0), 1);
        assertThat(Streams.readByte(link)).as("the link goes on").isEqualTo(1);
    }

    // ---- selectors

    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void shouldWakeASelector(int links) throws Exception {
        connect(links);
        int rounds = 6_000 / links;
        List<Callable<Void>> tasks = new ArrayList<>();
        tasks.add(() -> {
            new EchoingSelector(server, far).run(links * rounds);
            return null;
        });
        for (Link link : near) {
            tasks.add(() -> {
                for (int round = 0; round < rounds; round++) {
                    Streams.writeByte(link, round);
                    assertThat((byte) Streams.readByte(link)).isEqualTo((byte) round);
                }
                return null;
            });
        }
        runAll(tasks);
    }

    @Test
    void shouldWakeTenSelectors() throws Exception {
        connect(10);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ShmLink nearEnd = near.get(i);
            ShmLink farEnd = far.get(i);
            tasks.add(() -> {
                new EchoingSelector(server, List.of(farEnd)).run(300);
                return null;
            });
            tasks.add(() -> {
                for (int round = 0; round < 300; round++) {
                    Streams.writeByte(nearEnd, round);
                    assertThat((byte) Streams.readByte(nearEnd)).isEqualTo((byte) round);
                }
                return null;
            });
        }
        runAll(tasks);
    }

    @Test
    void shouldWakeTwoSelectorsAndAThreadThatWaitForOneLink() throws Exception {
        connect(1);
        ShmLink link = near.get(0);
        for (int round = 0; round < 300; round++) {
            List<Future<Boolean>> waits = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                waits.add(threads.submit(() -> waitBySelector(client, link, OP_READ)));
            }
            waits.add(threads.submit(() -> {
                while (!link.await(OP_READ, System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS))) {
                    assertThat(link.isReady(OP_READ)).isFalse();
                }
                return true;
            }));
            Streams.writeByte(far.get(0), round);
            for (Future<Boolean> wait : waits) {
                assertThat(wait.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            }
            assertThat((byte) Streams.readByte(link)).isEqualTo((byte) round);
        }
    }

    @Test
    void shouldWakeASelectorForCredit() throws Exception {
        connect(1);
        ShmLink link = near.get(0);
        long bytes = 4 << 20;
        runAll(List.of(() -> {
            try (Selector inner = UnixSockets.openSelector()) {
                SelectorWaiter waiter = new SelectorWaiter(inner, client.lendBell());
                ByteBuffer src = ByteBuffer.allocate(3000);
                for (long sent = 0; sent < bytes;) {
                    Payload.fill(src.clear().limit((int) Math.min(3000, bytes - sent)), sent).flip();
                    sent += link.send(src);
                    if (src.hasRemaining()) {
                        assertThat(sleep(waiter, inner, link, OP_WRITE)).isTrue();
                    }
                }
                link.disarm(waiter);
                waiter.close();
                link.shutdownOutput();
            }
            return null;
        }, stream(near.get(0), far.get(0), bytes).get(1)));
    }

    private static boolean waitBySelector(ShmFabric fabric, Link link, int op) throws IOException {
        try (Selector inner = UnixSockets.openSelector()) {
            SelectorWaiter waiter = new SelectorWaiter(inner, fabric.lendBell());
            boolean ready = sleep(waiter, inner, link, op);
            link.disarm(waiter);
            waiter.close();
            return ready;
        }
    }

    /** Arms, looks and sleeps, as a selector does, until one link is ready. */
    private static boolean sleep(SelectorWaiter waiter, Selector inner, Link link, int op) throws IOException {
        long started = System.nanoTime();
        while (System.nanoTime() - started < TimeUnit.SECONDS.toNanos(20)) {
            link.arm(op, waiter);
            Futex futex = Futex.get();
            if (waiter.prepareToSleep(futex == null) && !link.isReady(op)) {
                sleep(waiter, inner, futex);
            }
            waiter.awake();
            Object rung = waiter.next();
            while (rung != null) {
                rung = waiter.next(); // for this link or for none
            }
            if (link.isReady(op)) {
                return true;
            }
        }
        return false;
    }

    /** As a selector sleeps: on its bell, or in the inner selector. A ring comes long before the bell's own limit. */
    private static void sleep(SelectorWaiter waiter, Selector inner, Futex futex) throws IOException {
        long started = System.nanoTime();
        if (futex == null) {
            inner.select(20_000);
        } else {
            waiter.sleep(futex, Long.MAX_VALUE);
        }
        assertThat(System.nanoTime() - started).as("a sleep").isLessThan(Futex.LONGEST_NANOS - 100_000_000);
    }

    /** A selector loop that sends back every byte, and looks at a link only when that was rung. */
    private static final class EchoingSelector {
        private final ShmFabric fabric;
        private final List<ShmLink> links;
        private final ByteBuffer buffer = ByteBuffer.allocate(1);

        EchoingSelector(ShmFabric fabric, List<ShmLink> links) {
            this.fabric = fabric;
            this.links = links;
        }

        void run(int echoes) throws IOException {
            try (Selector inner = UnixSockets.openSelector()) {
                SelectorWaiter waiter = new SelectorWaiter(inner, fabric.lendBell());
                int done = 0;
                for (Link link : links) {
                    done += echoThenArm(link, waiter);
                }
                while (done < echoes) {
                    Futex futex = Futex.get();
                    if (waiter.prepareToSleep(futex == null)) {
                        sleep(waiter, inner, futex);
                    }
                    waiter.awake();
                    for (Object rung = waiter.next(); rung != null; rung = waiter.next()) {
                        done += echoThenArm((Link) rung, waiter);
                    }
                }
                links.forEach(link -> link.disarm(waiter));
                waiter.close();
            }
        }

        private int echoThenArm(Link link, SelectorWaiter waiter) throws IOException {
            int done = 0;
            do {
                while (link.receive(buffer.clear()) > 0) {
                    Streams.write(link, buffer.flip());
                    done++;
                }
                link.arm(OP_READ, waiter);
            } while (link.isReady(OP_READ));
            return done;
        }
    }

    private void runAll(List<Callable<Void>> tasks) throws Exception {
        for (Future<Void> done : threads.invokeAll(tasks, LIMIT_SECONDS, TimeUnit.SECONDS)) {
            try {
                done.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause());
            }
        }
    }
}
