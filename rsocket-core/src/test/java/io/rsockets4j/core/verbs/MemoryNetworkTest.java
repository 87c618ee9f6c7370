/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import static io.rsockets4j.core.verbs.CompletionStatus.FLUSHED;
import static io.rsockets4j.core.verbs.CompletionStatus.RETRIES_EXCEEDED;
import static io.rsockets4j.core.verbs.CompletionStatus.RNR_RETRIES_EXCEEDED;
import static io.rsockets4j.core.verbs.CompletionStatus.SUCCESS;
import static io.rsockets4j.core.verbs.QueuePair.SIGNALED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.verbs.memory.MemoryBinding;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryNetwork;
import io.rsockets4j.core.verbs.memory.MemoryQueuePair;
import io.rsockets4j.core.verbs.memory.Violation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the network in memory punishes, records and breaks, so that tests above it can rely on that. */
class MemoryNetworkTest {
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryHost host = network.host("a");
    private final MemoryBinding binding = new MemoryBinding(host);

    @AfterEach
    void close() {
        network.close();
    }

    private VerbsPair pair() throws IOException {
        return new VerbsPair(binding, new InetSocketAddress(InetAddress.getLoopbackAddress(), 700), 64);
    }

    @Test
    void shouldBeFoundByNameAlone() throws VerbsUnavailableException {
        assertThat(VerbsBindings.load("memory")).isInstanceOf(MemoryBinding.class);
    }

    @Test
    void shouldRecordASendThatFindsNoReceive() throws IOException {
        VerbsPair pair = pair();
        pair.initiator.send(1, 0, 8, 0);
        pair.initiator.expect(1, RNR_RETRIES_EXCEEDED);
        assertThat(network.violations(Violation.Kind.RECEIVER_NOT_READY)).hasSize(1);
    }

    @Test
    void shouldReadMemoryLate() throws IOException {
        VerbsPair pair = pair();
        pair.acceptor.receive(1, 0, 8);
        network.pause(true);
        pair.initiator.memory.putLong(0, 1);
        pair.initiator.send(1, 0, 8, 0);
        pair.initiator.memory.putLong(0, 2);
        network.pause(false);
        pair.acceptor.expect(1, SUCCESS);
        assertThat(pair.acceptor.memory.getLong(0)).as("too early used again").isEqualTo(2);
    }

    @Test
    void shouldGiveSlotsBackWhenALaterCompletionIsPolled() throws IOException {
        VerbsPair pair = pair();
        for (int i = 0; i < VerbsPeer.SENDS; i++) {
            pair.initiator.write(i, 0, 8, pair.acceptor, 0, i == VerbsPeer.SENDS - 1 ? SIGNALED : 0);
        }
        assertThatThrownBy(() -> pair.initiator.write(99, 0, 8, pair.acceptor, 0, 0)).hasMessageContaining("errno 12");
        pair.initiator.expect(VerbsPeer.SENDS - 1, SUCCESS);
        for (int i = 0; i < VerbsPeer.SENDS - 1; i++) {
            pair.initiator.write(i, 0, 8, pair.acceptor, 0, 0);
        }
        pair.initiator.write(99, 0, 8, pair.acceptor, 0, SIGNALED);
        pair.initiator.expect(99, SUCCESS);
    }

    @Test
    void shouldRecordACompletionQueueThatOverflows() throws IOException {
        VerbsPair pair = pair();
        CompletionQueue small = pair.initiator.id.device().createCompletionQueue(pair.initiator.channel, 2);
        CmId id = VerbsPair.resolve(pair.initiators, new InetSocketAddress(InetAddress.getLoopbackAddress(), 700));
        QueuePair queuePair = id.createQueuePair(pair.initiator.domain, new QueuePairOptions(small, 8, 8, 0));
        MemoryRegion region = pair.initiator.region;
        for (int i = 0; i < 3; i++) {
            queuePair.postReceive(i, region.address(), 8, region.localKey());
        }
        id.destroy(); // flushes three
        assertThat(network.violations(Violation.Kind.COMPLETION_OVERFLOW)).hasSize(1);
        assertThatThrownBy(small::poll).hasMessageContaining("overflowed");
    }

    @Test
    void shouldTimeOutWhenTheLinkBreaks() throws IOException {
        VerbsPair pair = pair();
        MemoryQueuePair queuePair = network.queuePairs().get(0);
        queuePair.breakAfter(1);
        pair.initiator.write(1, 0, 8, pair.acceptor, 0, SIGNALED);
        pair.initiator.write(2, 0, 8, pair.acceptor, 0, 0);
        pair.initiator.write(3, 0, 8, pair.acceptor, 0, 0);
        pair.initiator.expect(1, SUCCESS);
        pair.initiator.expect(2, RETRIES_EXCEEDED);
        pair.initiator.expect(3, FLUSHED);
        assertThat(queuePair.isReady()).isFalse();
    }

    @Test
    void shouldDeliverInAnotherOrderAcrossQueuePairs() throws IOException {
        network.delay(1, TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.MILLISECONDS.toNanos(300));
        VerbsPair slow = pair();
        slow.listener.destroy();
        network.delay(2, 0, 0);
        VerbsPair fast = pair();
        long started = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            slow.acceptor.receive(i, 0, 8);
            slow.initiator.send(i, 0, 8, SIGNALED);
        }
        fast.acceptor.receive(1, 0, 8);
        fast.initiator.send(1, 0, 8, SIGNALED);
        fast.acceptor.expect(1, SUCCESS);
        for (int i = 0; i < 3; i++) {
            slow.acceptor.expect(i, SUCCESS);
            slow.initiator.expect(i, SUCCESS);
        }
        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    @Test
    void shouldLeaveCompletionsOfDestroyedQueuePairs() throws IOException {
        VerbsPair pair = pair();
        pair.initiator.receive(5, 0, 8);
        pair.initiator.id.destroy();
        pair.initiator.expect(5, FLUSHED);
        assertThatThrownBy(() -> pair.initiator.receive(6, 0, 8)).isInstanceOf(VerbsException.class);
        assertThat(network.violations(Violation.Kind.USE_AFTER_DESTROY)).hasSize(1);
    }

    @Test
    void shouldPinNoMoreThanAllowed() throws IOException {
        VerbsPair pair = pair();
        host.pinnable(4096);
        pair.initiator.domain.register(pair.initiator.domain.allocate(4096), false);
        assertThatThrownBy(() -> pair.initiator.domain.register(pair.initiator.domain.allocate(4096), false))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(12));
    }

    @Test
    void shouldRefuseImmediatesWhereTheDeviceHasNone() throws IOException {
        VerbsPair pair = pair();
        host.hasImmediate(false);
        assertThat(pair.initiator.id.device().hasImmediate()).isFalse();
        assertThatThrownBy(() -> pair.initiator.writeWithImmediate(1, 0, 8, pair.acceptor, 0, 0, 0))
                .isInstanceOf(VerbsException.class);
    }
}
