/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.SelectorWaiter;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.UnixSockets;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process of the same user truncates the bells of one side, or of both, while threads sleep. Nobody gets an error, no
 * connection ends, and whoever is rung wakes long before its sleep ends by itself.
 */
@Timeout(60)
@ParameterizedClass(name = "{0}")
@EnumSource
class TakenBellsTest {
    private static final long TOO_LONG = Futex.LONGEST_NANOS * 9 / 10;

    /** Whose bells are taken back. */
    enum Whose { SERVER, CLIENT, BOTH }

    private final Whose whose;

    @TempDir
    private Path directory;
    private ShmFabric server;
    private ShmFabric client;
    private Fabrics.Listening listening;
    private ShmLink near;
    private ShmLink far;

    TakenBellsTest(Whose whose) {
        this.whose = whose;
    }

    @BeforeEach
    void connect() throws Exception {
        FutexSwitch.on();
        server = Fabrics.open(directory);
        client = Fabrics.open(directory);
        listening = Fabrics.listen(server);
        near = Fabrics.connect(client, listening.address());
        far = listening.accept();
    }

    @AfterEach
    void othersAreServed() throws Exception {
        echo(near, far);
        Eventually.until("a connect of a process that comes later", () -> {
            try (Selector inner = UnixSockets.openSelector()) {
                SelectorWaiter waiter = new SelectorWaiter(inner, server.lendBell());
                waiter.prepareToSleep(false); // a server that sleeps finds what was taken back
                waiter.awake();
                waiter.close();
            }
            return connects(Fabrics.open(directory));
        });
        near.close(false);
        far.close(false);
        listening.queue().close();
    }

    private boolean connects(ShmFabric later) throws Exception {
        try {
            ShmLink link = Fabrics.connect(later, listening.address());
            ShmLink accepted = listening.accept();
            echo(link, accepted);
            link.close(false);
            accepted.close(false);
            return true;
        } catch (IOException e) {
            return false; // until the server has bells again
        }
    }

    private static void echo(ShmLink one, ShmLink other) throws IOException {
        Streams.writeByte(one, 42);
        assertThat(Streams.readByte(other)).isEqualTo(42);
        Streams.writeByte(other, 43);
        assertThat(Streams.readByte(one)).isEqualTo(43);
    }

    private void takeBack() throws IOException {
        if (whose != Whose.CLIENT) {
            takeBack(server);
        }
        if (whose != Whose.SERVER) {
            takeBack(client);
        }
    }

    private static Path bells(ShmFabric fabric) {
        return fabric.context().rendezvous().path(fabric.context().bells().name());
    }

    private static void takeBack(ShmFabric fabric) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(bells(fabric).toFile(), "rw")) {
            file.setLength(0);
        }
    }

    /** Starts a thread that tells when it was woken, once it sleeps in a method. */
    private static CompletableFuture<Long> startSleeper(String method, Callable<Void> wait) throws Exception {
        CompletableFuture<Long> woken = new CompletableFuture<>();
        Thread sleeper = new Thread(() -> {
            try {
                wait.call();
                woken.complete(System.nanoTime());
            } catch (Throwable e) {
                woken.completeExceptionally(e);
            }
        }, "sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        Eventually.asleepIn(sleeper, method);
        return woken;
    }

    private static void assertWoken(CompletableFuture<Long> woken, long since) throws Exception {
        try {
            assertThat(woken.orTimeout(15, TimeUnit.SECONDS).join() - since).isLessThan(TOO_LONG);
        } catch (CompletionException e) {
            throw new AssertionError("the sleeper ended by an error", e.getCause());
        }
    }

    @Test
    void shouldWakeAReader() throws Exception {
        CompletableFuture<Long> woken = startSleeper("park", () -> {
            assertThat(Streams.readByte(far)).isEqualTo(1);
            return null;
        });
        takeBack();
        long since = System.nanoTime();
        Streams.writeByte(near, 1);
        assertWoken(woken, since);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWakeASelector(boolean elsewhere) throws Exception {
        for (ShmLink[] link : new ShmLink[][] {{near, far}, {far, near}}) {
            ShmFabric fabric = link[1] == far ? server : client;
            for (int round = 0; round < 3; round++) {
                CompletableFuture<Long> woken = startSleeper(elsewhere ? "select" : "sleep",
                        () -> select(fabric, link[1], elsewhere));
                takeBack();
                long since = System.nanoTime();
                Streams.writeByte(link[0], round);
                assertWoken(woken, since);
                assertThat(Streams.readByte(link[1])).isEqualTo(round);
            }
        }
    }

    private static Void select(ShmFabric fabric, ShmLink link, boolean elsewhere) throws IOException {
        try (Selector inner = UnixSockets.openSelector()) {
            SelectorWaiter waiter = new SelectorWaiter(inner, fabric.lendBell());
            while (!link.isReady(OP_READ)) {
                link.arm(OP_READ, waiter);
                if (waiter.prepareToSleep(elsewhere) && !link.isReady(OP_READ)) {
                    sleep(waiter, inner, elsewhere);
                }
                waiter.awake();
            }
            link.disarm(waiter);
            waiter.close();
            return null;
        }
    }

    private static void sleep(SelectorWaiter waiter, Selector inner, boolean elsewhere) throws IOException {
        if (elsewhere) {
            inner.select(TimeUnit.NANOSECONDS.toMillis(Futex.LONGEST_NANOS));
        } else {
            waiter.sleep(Futex.get(), Long.MAX_VALUE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWakeWhoAccepts(boolean elsewhere) throws Exception {
        for (int round = 0; round < 3; round++) {
            AtomicReference<ShmLink> accepted = new AtomicReference<>();
            CompletableFuture<Long> woken = startSleeper(elsewhere ? "select" : "sleep", () -> {
                accepted.set(accept(elsewhere));
                return null;
            });
            takeBack();
            long since = System.nanoTime();
            ShmLink link = Fabrics.connect(client, listening.address());
            assertWoken(woken, since);
            echo(link, accepted.get());
            link.close(false);
            accepted.get().close(false);
        }
    }

    private ShmLink accept(boolean elsewhere) throws IOException {
        try (Selector inner = UnixSockets.openSelector()) {
            SelectorWaiter waiter = new SelectorWaiter(inner, server.lendBell());
            listening.queue().addWaiter(waiter);
            ShmLink link = (ShmLink) listening.queue().poll();
            while (link == null) {
                if (waiter.prepareToSleep(elsewhere) && !listening.queue().pollPending()) {
                    sleep(waiter, inner, elsewhere);
                }
                waiter.awake();
                link = (ShmLink) listening.queue().poll();
            }
            listening.queue().removeWaiter(waiter);
            waiter.close();
            return link;
        }
    }
}
