/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.HandInitiator.isClosedByPeer;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.DescriptorBudget;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What other processes can make this one hold. */
class PeerLimitsTest {
    private static final int SILENT = 400;

    @TempDir
    private Path directory;
    private ShmFabric fabric;
    private Fabrics.Listening listening;
    private HandInitiator hand;

    @BeforeEach
    void listen() throws IOException {
        fabric = Fabrics.open(directory, "handshake.millis=30000");
        listening = Fabrics.listen(fabric);
        hand = HandInitiator.dial(directory);
    }

    @AfterEach
    void close() throws IOException {
        hand.close();
        listening.queue().close();
    }

    @Test
    @Timeout(20)
    void shouldHoldFewDescriptorsForThoseWhoSayNothingAndServeOthersSoon() throws Exception {
        List<SocketChannel> silent = new ArrayList<>();
        int before = descriptors();
        try {
            for (int i = 0; i < SILENT; i++) {
                silent.add(hand.dial());
            }
            try (HandInitiator other = HandInitiator.dial(directory)) {
                other.establish(); // within 10 s
            }
            for (int i = 0; i < SILENT - Handshakes.MAX; i++) {
                assertThat(isClosedByPeer(silent.get(i))).as("the %dth", i).isTrue();
            }
            Eventually.until("few descriptors", () -> descriptors() - before - SILENT < Handshakes.MAX + 20);
        } finally {
            for (SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }

    @Test
    void shouldRefuseAProcessWhenOthersHoldAllThatTheyMay() throws Exception {
        leave(2);
        hand.send(Frame.hello(hand.hello()));
        ByteBuffer answer = HandInitiator.read(hand.control);
        assertThat(answer.get()).isEqualTo((byte) Frame.REFUSED);
        assertThat(Frame.getText(answer)).startsWith("47 too-many: other processes hold ").contains("ulimit -n");
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldRefuseSlotsWhenOthersHoldAllThatTheyMay() throws Exception {
        leave(4);
        hand.establish();
        assertThat(offerSlots(1).get()).isEqualTo((byte) Frame.SLOTS_MAPPED);
        ByteBuffer answer = offerSlots(2);
        assertThat(answer.get()).isEqualTo((byte) Frame.SLOTS_REFUSED);
        assertThat(Frame.getText(answer)).startsWith("47 too-many: ");
        hand.connect(listening.address());
        listening.accept().close(false);
    }

    private ByteBuffer offerSlots(int index) throws IOException {
        Path more = hand.rendezvous.newPath(Rendezvous.SHARED);
        SlotFile.create(more, HandInitiator.RING_BYTES, MemoryBudget.unlimited()).leave();
        hand.send(Frame.slots(index, more.getFileName().toString()));
        return HandInitiator.read(hand.control);
    }

    @Test
    void shouldTakeBackWhatASessionHeldThatEndsOrDoesNotBegin() throws Exception {
        leave(3);
        Frame.ShmHello good = hand.hello();
        hand.send(Frame.hello(hand.hello(good.sharedName(), "0".repeat(32) + Rendezvous.SHARED, good.bellsName())));
        assertThat(HandInitiator.read(hand.control).get()).isEqualTo((byte) Frame.REFUSED);
        hand.close();
        hand = HandInitiator.dial(directory).establish();
        hand.close();
        Eventually.until("the session's files are closed", () -> isLeft(3)); // ten seconds after its end
    }

    private boolean isLeft(int count) {
        try {
            fabric.context().descriptors().take(count);
            return true;
        } catch (PathException e) {
            return false;
        }
    }

    /** Has so many descriptors left for peers. */
    private void leave(int count) throws PathException {
        DescriptorBudget budget = fabric.context().descriptors();
        budget.take(budget.allowed() - count);
    }
}
