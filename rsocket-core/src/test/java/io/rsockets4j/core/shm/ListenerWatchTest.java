/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListenerWatchTest {
    private final AtomicInteger told = new AtomicInteger();
    private final List<SocketChannel> clients = new ArrayList<>();
    private ServiceThread service;
    private ServerSocketChannel tcp;
    private ListenerWatch watch;

    @BeforeEach
    void listen() throws IOException {
        service = new ServiceThread();
        tcp = ServerSocketChannel.open();
        tcp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
        watch = new ListenerWatch(service, tcp, told::incrementAndGet);
    }

    @AfterEach
    void close() throws IOException {
        watch.close();
        tcp.close();
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    private void connect() throws IOException {
        clients.add(SocketChannel.open(tcp.getLocalAddress()));
    }

    /** What the service thread has to do is done, and it has looked at its selector since. */
    private void settle() throws Exception {
        for (int i = 0; i < 3; i++) {
            service.submit(() -> null).await(System.nanoTime() + TimeUnit.SECONDS.toNanos(15));
        }
    }

    @Test
    void shouldTellOfAClientThatComesLater() throws Exception {
        watch.expect();
        settle();
        assertThat(told).hasValue(0);
        connect();
        Eventually.until("a client", () -> told.get() == 1);
    }

    @Test
    void shouldTellOfAClientThatHasCome() throws Exception {
        connect();
        watch.expect();
        Eventually.until("a client", () -> told.get() == 1);
    }

    @Test
    void shouldTellOnceAndAgainWhenAskedAgain() throws Exception {
        watch.expect();
        watch.expect();
        connect();
        Eventually.until("a client", () -> told.get() == 1);
        connect();
        settle();
        assertThat(told).as("nobody expects one").hasValue(1);
        watch.expect();
        Eventually.until("a client", () -> told.get() == 2);
        tcp.accept().close();
        tcp.accept().close();
        watch.expect();
        settle();
        assertThat(told).as("none is left").hasValue(2);
        connect();
        Eventually.until("a client", () -> told.get() == 3);
    }

    @Test
    void shouldHaveLetGoOfTheChannelOnceClosed() throws Exception {
        watch.expect();
        settle();
        assertThat(tcp.isRegistered()).isTrue();
        watch.close();
        assertThat(tcp.isRegistered()).isFalse();
        connect();
        settle();
        assertThat(told).hasValue(0);
        watch.close();
        watch.expect();
        settle();
        assertThat(tcp.isRegistered()).isFalse();
        assertThat(told).hasValue(0);
    }

    @Test
    void shouldNotRegisterAChannelWhenClosedBeforeAnybodyExpected() throws Exception {
        watch.close();
        watch.expect();
        settle();
        assertThat(tcp.isRegistered()).isFalse();
    }

    @Test
    void shouldNotMindAChannelThatIsClosedAlready() throws Exception {
        tcp.close();
        watch.expect();
        settle();
        watch.close();
        assertThat(told).as("whoever closed it wakes those who sleep").hasValue(0);
    }

    @Test
    void shouldNotRegisterAChannelThatSomebodyExpectedJustBeforeAFailure() throws Exception {
        CountDownLatch expected = new CountDownLatch(1);
        service.execute(() -> {
            try {
                expected.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            watch.failed(new IOException("no reason"));
        });
        assertThat(watch.expect()).isTrue();
        expected.countDown();
        settle();
        assertThat(tcp.isRegistered()).isFalse();
        assertThat(told).as("whoever is about to sleep looks").hasValue(1);
    }

    @Test
    void shouldWakeWhoeverSleepsWhereTheChannelCannotBeWatched() {
        assertThat(watch.expect()).isTrue();
        watch.failed(new IOException("no reason"));
        assertThat(told).hasValue(1);
        assertThat(watch.expect()).as("nobody is to rely on it any more").isFalse();
    }
}
