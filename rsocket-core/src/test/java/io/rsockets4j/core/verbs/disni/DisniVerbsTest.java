/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsContractTest;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Needs a device with an IPv4 address, libdisni and slf4j-api, which {@code suite.disni} declares. */
@EnabledIfSystemProperty(named = "suite.disni", matches = "true",
        disabledReason = "no device with DiSNI is declared")
class DisniVerbsTest extends VerbsContractTest {
    @Override
    protected VerbsBinding binding() throws IOException {
        VerbsBinding binding = new DisniBinding();
        binding.load();
        return binding;
    }

    @Override
    protected InetAddress address() throws IOException {
        return InetAddress.getByName(System.getProperty("suite.address"));
    }

    @Test
    void shouldRefuseStepsThatNeedADeviceBeforeThereIsOne() throws IOException {
        try (ConnectionManager manager = binding().openConnectionManager()) {
            CmId id = manager.createId();
            assertThatThrownBy(id::connect).isInstanceOf(VerbsException.class).hasMessageContaining("not resolved");
            assertThatThrownBy(id::accept).isInstanceOf(VerbsException.class).hasMessageContaining("not resolved");
            assertThatThrownBy(id::device).isInstanceOf(VerbsException.class).hasMessageContaining("not resolved");
            id.destroy();
            assertThatThrownBy(id::connect).isInstanceOf(VerbsException.class).hasMessageContaining("destroyed");
            assertThatThrownBy(id::disconnect).isInstanceOf(VerbsException.class).hasMessageContaining("destroyed");
        }
    }

    @Test
    void shouldRefuseToPostToADestroyedQueuePair() throws Exception {
        try (ConnectionManager manager = binding().openConnectionManager()) {
            CmId id = resolve(manager, null);
            VerbsDevice device = id.device();
            ProtectionDomain domain = device.allocateProtectionDomain();
            CompletionQueue completions = device.createCompletionQueue(device.createCompletionChannel(), 16);
            QueuePair queuePair = id.createQueuePair(domain, new QueuePairOptions(completions, 4, 4, 0));
            MemoryRegion region = domain.register(domain.allocate(4096), false);
            CompletableFuture<String> poster = new CompletableFuture<>();
            CountDownLatch posting = new CountDownLatch(100);
            new Thread(() -> poster.complete(postUntilDestroyed(queuePair, region, posting))).start();
            assertThat(posting.await(20, TimeUnit.SECONDS)).isTrue();
            id.destroy();
            assertThat(poster.get(20, TimeUnit.SECONDS)).contains("ibv_post_recv").contains("destroyed");
            assertThatThrownBy(() -> queuePair.postSend(1, region.address(), 1, region.localKey(), 0))
                    .isInstanceOf(VerbsException.class).hasMessageContaining("destroyed");
        }
    }

    private static String postUntilDestroyed(QueuePair queuePair, MemoryRegion region, CountDownLatch posting) {
        while (true) {
            try {
                posting.countDown();
                queuePair.postReceive(1, region.address(), 8, region.localKey());
            } catch (VerbsException e) {
                if (e.errno() == 0) { // else the queue is full
                    return e.getMessage();
                }
            }
        }
    }

    @Test
    void shouldConnectFromTheSourceThatIsAskedFor() throws IOException {
        try (ConnectionManager manager = binding().openConnectionManager()) {
            CmId id = resolve(manager, new InetSocketAddress(address(), 0));
            assertThat(id.localAddress().getAddress()).isEqualTo(address());
            assertThat(id.peerAddress()).isEqualTo(new InetSocketAddress(address(), 1));
            id.destroy();
            assertThat(id.localAddress()).isNull();
        }
    }

    @Test
    void shouldRefuseIpv6() throws IOException {
        try (ConnectionManager manager = binding().openConnectionManager()) {
            CmId id = manager.createId();
            InetSocketAddress address = new InetSocketAddress("fd07::1", 80);
            assertThatThrownBy(() -> id.resolveAddress(null, address, 1000)).hasMessageContaining("no IPv6");
            assertThatThrownBy(() -> id.bind(address, false)).hasMessageContaining("no IPv6");
            id.destroy();
        }
    }

    @Test
    void shouldWakeWhoAwaitsEvents() throws Exception {
        try (ConnectionManager manager = binding().openConnectionManager()) {
            CompletableFuture<CmEvent> waiter = new CompletableFuture<>();
            CountDownLatch waiting = new CountDownLatch(1);
            new Thread(() -> {
                waiting.countDown();
                try {
                    waiter.complete(manager.await(-1));
                } catch (IOException e) {
                    waiter.completeExceptionally(e);
                }
            }).start();
            assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
            manager.wakeup();
            assertThat(waiter.get(20, TimeUnit.SECONDS)).isNull();
        }
    }

    private CmId resolve(ConnectionManager manager, InetSocketAddress source) throws IOException {
        CmId id = manager.createId();
        id.resolveAddress(source, new InetSocketAddress(address(), 1), 10_000);
        CmEvent event = manager.await(20_000);
        assertThat(event.type()).isEqualTo(CmEvent.Type.ADDR_RESOLVED);
        assertThat(event.id()).isSameAs(id);
        return id;
    }
}
