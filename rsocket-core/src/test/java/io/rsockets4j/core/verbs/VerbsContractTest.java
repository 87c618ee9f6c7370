/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import static io.rsockets4j.core.verbs.CompletionStatus.FLUSHED;
import static io.rsockets4j.core.verbs.CompletionStatus.REMOTE_ACCESS;
import static io.rsockets4j.core.verbs.CompletionStatus.SUCCESS;
import static io.rsockets4j.core.verbs.QueuePair.INLINE;
import static io.rsockets4j.core.verbs.QueuePair.SIGNALED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rsockets4j.core.fabric.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every binding does with its data path. A binding's test says how it is reached. */
public abstract class VerbsContractTest {
    private static final int INLINE_BYTES = 64;
    private static final int ENOMEM = 12;

    private VerbsPair pair;
    private VerbsPeer a;
    private VerbsPeer b;
    private Thread sleeper; // the last one that was started

    /** The binding, loaded. */
    protected abstract VerbsBinding binding() throws IOException;

    /** An address of an RDMA device of this host. */
    protected abstract InetAddress address() throws IOException;

    @BeforeEach
    void connect() throws IOException {
        InetSocketAddress address = VerbsPair.freePort(address());
        pair = new VerbsPair(binding(), address, INLINE_BYTES);
        a = pair.initiator;
        b = pair.acceptor;
    }

    @AfterEach
    void close() {
        if (pair != null) {
            pair.close();
        }
    }

    @Test
    void shouldKnowItsPortOrNot() throws IOException {
        PortGid source = a.queuePair.source();
        assertThat(source == null || source.port() >= 1 && source.index() >= PortGid.NO_GID).as("%s", source).isTrue();
        assertThat(a.queuePair.source()).as("always the same").isEqualTo(source);
    }

    @Test
    void shouldDeliverSends() throws IOException {
        b.receive(7, 4096, 128);
        a.fill(0, 100, 3);
        a.send(8, 0, 100, SIGNALED);
        a.expect(8, SUCCESS);
        VerbsPeer.Completion received = b.expect(7, SUCCESS);
        assertThat(received.byteLength()).isEqualTo(100);
        assertThat(received.hasImmediate()).isFalse();
        b.assertFilled(4096, 100, 3);
    }

    @Test
    void shouldWriteWithImmediate() throws IOException {
        assumeTrue(a.id.device().hasImmediate());
        b.receive(7, 0, 16);
        a.fill(0, 5000, 9);
        a.writeWithImmediate(8, 0, 5000, b, 8192, SIGNALED, 0x8123_4567);
        a.expect(8, SUCCESS);
        VerbsPeer.Completion received = b.expect(7, SUCCESS);
        assertThat(received.hasImmediate()).isTrue();
        assertThat(received.immediate()).isEqualTo(0x8123_4567);
        assertThat(received.byteLength()).isEqualTo(5000);
        b.assertFilled(8192, 5000, 9);
    }

    @Test
    void shouldWriteWithoutReceivesBeforeLaterSends() throws IOException {
        b.receive(7, 0, 16);
        a.fill(0, 3000, 1);
        a.write(1, 0, 3000, b, 8192, 0);
        a.send(2, 0, 8, SIGNALED);
        a.expect(2, SUCCESS);
        b.expect(7, SUCCESS);
        b.assertFilled(8192, 3000, 1);
    }

    @Test
    void shouldCopyInlineBytesWhenPosted() throws IOException {
        assertThat(a.queuePair.inlineBytes()).isGreaterThanOrEqualTo(INLINE_BYTES);
        for (int i = 0; i < VerbsPeer.RECEIVES; i++) {
            b.receive(i, i * 64, 64);
        }
        for (int i = 0; i < VerbsPeer.RECEIVES; i++) {
            a.fill(0, INLINE_BYTES, i);
            a.send(i, 0, INLINE_BYTES, INLINE | SIGNALED);
        }
        for (int i = 0; i < VerbsPeer.RECEIVES; i++) {
            a.expect(i, SUCCESS);
            b.expect(i, SUCCESS);
            b.assertFilled(i * 64, INLINE_BYTES, i);
        }
    }

    @Test
    void shouldKeepOrderAndReportOnlySignalledSuccess() throws IOException {
        for (int i = 0; i < VerbsPeer.RECEIVES; i++) {
            b.receive(100 + i, i * 4, 4);
        }
        for (int i = 0; i < VerbsPeer.RECEIVES; i++) {
            a.memory.putInt(i * 4, i);
            a.send(i, i * 4, 4, i % 4 == 3 ? SIGNALED : 0);
        }
        for (int i = 0; i < VerbsPeer.RECEIVES; i++) {
            b.expect(100 + i, SUCCESS);
            assertThat(b.memory.getInt(i * 4)).isEqualTo(i);
        }
        a.expect(3, SUCCESS);
        a.expect(7, SUCCESS);
        assertThat(a.poll(0)).isNull();
    }

    @Test
    void shouldAcceptEmptyWritesToAnywhere() throws IOException {
        a.queuePair.postWrite(1, 0, 0, a.region.localKey(), 0xdead_0000L, 0x666, SIGNALED);
        a.expect(1, SUCCESS);
    }

    @Test
    void shouldFailWritesWithAnotherKey() throws IOException {
        a.queuePair.postWrite(1, a.region.address(), 8, a.region.localKey(), b.region.address(),
                b.region.remoteKey() ^ 0x55, 0);
        a.send(2, 0, 8, 0);
        a.expect(1, REMOTE_ACCESS);
        a.expect(2, FLUSHED);
    }

    @Test
    void shouldFailWritesBeyondTheRegion() throws IOException {
        a.write(1, 0, 8, b, VerbsPeer.MEMORY_BYTES - 7, 0);
        a.expect(1, REMOTE_ACCESS);
    }

    @Test
    void shouldFailWritesWhereOnlyItsOwnerMayWrite() throws IOException {
        MemoryRegion own = b.domain.register(b.domain.allocate(4096), false);
        a.queuePair.postWrite(1, a.region.address(), 8, a.region.localKey(), own.address(), own.remoteKey(), 0);
        a.expect(1, REMOTE_ACCESS);
    }

    @Test
    void shouldFailWritesWithAKeyOfAnotherDomain() throws IOException {
        ProtectionDomain other = b.id.device().allocateProtectionDomain();
        MemoryRegion region = other.register(other.allocate(4096), true);
        a.queuePair.postWrite(1, a.region.address(), 8, a.region.localKey(), region.address(), region.remoteKey(), 0);
        a.expect(1, REMOTE_ACCESS);
        other.deregister(region);
        other.deallocate();
    }

    @Test
    void shouldFailWritesToWhatIsNotRegisteredAnyMore() throws IOException {
        MemoryRegion region = b.domain.register(b.domain.allocate(4096), true);
        b.domain.deregister(region);
        a.queuePair.postWrite(1, a.region.address(), 8, a.region.localKey(), region.address(), region.remoteKey(), 0);
        a.expect(1, REMOTE_ACCESS);
    }

    @Test
    void shouldKeepADomainThatIsInUse() {
        assertThatThrownBy(b.domain::deallocate).isInstanceOf(VerbsException.class);
    }

    @Test
    void shouldRefuseMoreReceivesThanThereIsRoomFor() throws IOException {
        int room = 0;
        VerbsException full = null;
        while (full == null && room < 10_000) {
            try {
                b.receive(room, 0, 8);
                room++;
            } catch (VerbsException e) {
                full = e;
            }
        }
        assertThat(room).isBetween(VerbsPeer.RECEIVES, 9_999);
        assertThat(full).hasMessageContaining("errno 12");
        assertThat(full.errno()).isEqualTo(ENOMEM);
    }

    @Test
    void shouldFlushBothQueuesOnDisconnect() throws IOException {
        a.receive(1, 0, 8);
        a.receive(2, 0, 8);
        b.receive(3, 0, 8);
        a.id.disconnect();
        a.expect(1, FLUSHED);
        a.expect(2, FLUSHED);
        VerbsPair.skipTo(pair.acceptors, CmEvent.Type.DISCONNECTED);
        b.id.disconnect(); // the answer that the other side waits for
        VerbsPair.skipTo(pair.initiators, CmEvent.Type.DISCONNECTED);
        b.expect(3, FLUSHED);
    }

    @Test
    void shouldTellThePeerWhenDestroyed() throws IOException {
        a.id.destroy();
        a.id.destroy();
        VerbsPair.skipTo(pair.acceptors, CmEvent.Type.DISCONNECTED);
        assertThat(pair.initiators.await(0)).isNull();
    }

    @Test
    void shouldAnnounceOneCompletionAfterEachRequest() throws IOException {
        for (int i = 0; i < 3; i++) {
            b.receive(i, 0, 8);
        }
        b.completions.requestNotification();
        assertThat(b.poll(0)).isNull();
        a.send(1, 0, 8, 0);
        assertThat(b.channel.await(20_000)).isSameAs(b.completions);
        b.expect(0, SUCCESS);
        a.send(2, 0, 8, 0);
        b.expect(1, SUCCESS);
        assertThat(b.channel.await(0)).as("no event that was not asked for").isNull();
        b.completions.requestNotification();
        a.send(3, 0, 8, 0);
        assertThat(b.channel.await(20_000)).isSameAs(b.completions);
        b.expect(2, SUCCESS);
    }

    /** Who is in front may be about to sleep only: then the other one is woken. */
    @Test
    @Timeout(60)
    void shouldAnnounceToTheThreadInFront() throws Exception {
        assumeTrue(b.channel.hasFront());
        FutureTask<CompletionQueue> behind = start(() -> b.channel.await(-1));
        int inFront = 0;
        for (int i = 0; i < VerbsPeer.RECEIVES; i++) {
            b.receive(i, 0, 8);
            b.completions.requestNotification();
            FutureTask<CompletionQueue> front = start(() -> b.channel.awaitInFront(-1));
            Eventually.asleepIn(sleeper, "awaitInFront");
            a.send(i, 0, 8, SIGNALED);
            FutureTask<CompletionQueue> other = behind;
            Eventually.until("someone hears of it", () -> front.isDone() || other.isDone());
            if (behind.isDone()) {
                b.channel.wakeupInFront();
                behind = start(() -> b.channel.await(-1));
            } else {
                inFront++;
            }
            front.get(20, TimeUnit.SECONDS);
            b.expect(i, SUCCESS);
            a.expect(i, SUCCESS);
        }
        assertThat(inFront).isGreaterThan(VerbsPeer.RECEIVES / 2);
        b.receive(9, 0, 8);
        b.completions.requestNotification();
        a.send(9, 0, 8, SIGNALED);
        assertThat(behind.get(20, TimeUnit.SECONDS)).as("with nobody in front").isSameAs(b.completions);
    }

    @Test
    @Timeout(60)
    void shouldWakeEachOfTheTwoWhoWait() throws Exception {
        assumeTrue(b.channel.hasFront());
        FutureTask<CompletionQueue> behind = start(() -> b.channel.await(-1));
        FutureTask<CompletionQueue> front = start(() -> b.channel.awaitInFront(-1));
        b.channel.wakeupInFront();
        assertThat(front.get(20, TimeUnit.SECONDS)).isNull();
        assertThat(behind).isNotDone();
        b.channel.wakeup();
        assertThat(behind.get(20, TimeUnit.SECONDS)).isNull();
        assertThat(b.channel.awaitInFront(1)).as("after a while").isNull();
    }

    private FutureTask<CompletionQueue> start(Callable<CompletionQueue> wait) {
        FutureTask<CompletionQueue> task = new FutureTask<>(wait);
        sleeper = new Thread(task, "waits for completions");
        sleeper.setDaemon(true);
        sleeper.start();
        return task;
    }

    @Test
    void shouldCreateCompletionQueuesWithinTheDevicesLimit() throws IOException {
        VerbsDevice device = a.id.device();
        assertThat(device.maxCompletions()).isGreaterThan(1000);
        assertThatThrownBy(() -> device.createCompletionQueue(a.channel, device.maxCompletions() + 1))
                .isInstanceOf(VerbsException.class);
    }
}
