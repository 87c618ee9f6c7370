/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Whatever a peer says: it is used within bounds, or refused. */
class DirectTrustTest {
    private static final int RING_BYTES = 16;
    private static final int MAX_RECEIVES = 2;

    private final Recorder recorder = new Recorder();
    private final DirectSender sender = new DirectSender(recorder, RING_BYTES, MAX_RECEIVES);
    private final DirectReceiver receiver = new DirectReceiver(recorder, RING_BYTES, MAX_RECEIVES);

    /** What the machines asked for, as far as the tests look at it. */
    private static final class Recorder implements DirectSender.Wire, DirectReceiver.Wire {
        final List<String> said = new ArrayList<>();

        @Override
        public void writeBuffer(long address, long key, int length) {
            said.add("buffer " + address + "+" + length + " by " + key);
        }

        @Override
        public void writeRing(long position, int length) {
            said.add("ring " + position + "+" + length);
        }

        @Override
        public void withdrawn() {
            said.add("withdrawn");
        }

        @Override
        public void end(long total) {
            said.add("end " + total);
        }

        @Override
        public void advertise(long phase, long sequence, long id, int offset, int length, boolean waitAll) {
            said.add("advert " + phase + "/" + sequence + " of " + id + ", " + offset + "+" + length);
        }

        @Override
        public void acknowledge(long total) {
            said.add("acknowledge " + total);
        }

        @Override
        public void withdraw(long phase) {
            said.add("withdraw " + phase);
        }

        @Override
        public void copy(long position, long id, int offset, int length) {
            assertThat(length).isBetween(1, RING_BYTES);
            said.add("copy " + position + " to " + id + ", " + offset + "+" + length);
        }

        @Override
        public void completed(long id, int bytes, DirectReceiver.Ending ending) {
            said.add(ending + " " + bytes + " of " + id);
        }
    }

    @Property(tries = 2_000)
    void shouldSendWithinBoundsWhateverThePeerSays(@ForAll("numbers") long[] said) {
        for (int i = 0; i + 5 < said.length; i++) {
            try {
                switch (i % 4) {
                    case 0 -> sender.acknowledged(said[i]);
                    case 1 -> sender.withdraw(said[i]);
                    default -> sender.advert(said[i], said[i + 1], said[i + 2], said[i + 3], (int) said[i + 4],
                            (said[i + 5] & 1) == 0);
                }
            } catch (DirectCorruptedException e) {
                assertThat(e).hasMessageContaining("is outside");
            }
            assertThat(sender.credit()).isBetween(0, RING_BYTES);
            assertThat(sender.send(20)).isBetween(0, 20);
        }
    }

    @Property(tries = 2_000)
    void shouldReceiveWithinBoundsWhateverThePeerSays(@ForAll("numbers") long[] said) {
        for (int i = 0; i < said.length; i++) {
            receiver.receive(i, 10, i % 3 == 0, i % 5 > 0);
            try {
                switch (i % 7) {
                    case 0, 1 -> receiver.directArrived((int) said[i]);
                    case 2, 3 -> receiver.ringArrived((int) said[i]);
                    case 4 -> receiver.withdrawn();
                    case 5 -> receiver.cancel(said[i]);
                    default -> receiver.drain();
                }
            } catch (DirectCorruptedException e) {
                assertThat(e).hasMessageContaining("is outside");
            }
            assertThat(receiver.buffered()).isBetween(0, RING_BYTES);
        }
    }

    @Provide
    Arbitrary<long[]> numbers() {
        Arbitrary<Long> small = Arbitraries.longs().between(-1, 12);
        return Arbitraries.frequencyOf(Tuple.of(9, small), Tuple.of(1, Arbitraries.longs())).array(long[].class)
                .ofMaxSize(60);
    }

    @Test
    void shouldRefuseAdvertsThatCannotBe() throws DirectCorruptedException {
        refused("advertised phase=2 is outside 0 to 0", () -> sender.advert(2, 0, 0, 7, 8, false));
        refused("advertised phase=-2", () -> sender.advert(-2, 0, 0, 7, 8, false));
        refused("advertised sequence=-1", () -> sender.advert(0, -1, 0, 7, 8, false));
        refused("advertised length=0", () -> sender.advert(0, 0, 0, 7, 0, false));
        refused("advertised address=-1", () -> sender.advert(0, 0, -1, 7, 8, false));
        refused("advertised address=9223372036854775807", () -> sender.advert(0, 0, Long.MAX_VALUE, 7, 1, false));
        sender.advert(0, 0, 100, 7, 8, false);
        refused("advertised sequence=0 is outside 1", () -> sender.advert(0, 0, 100, 7, 8, false));
        sender.advert(0, 1, 200, 8, 8, false);
        refused("number of adverts=3 is outside 1 to 2", () -> sender.advert(0, 2, 300, 9, 8, false));
    }

    @Test
    void shouldRefuseAdvertsOfBytesThatWereNotSent() throws DirectCorruptedException {
        sender.send(3);
        refused("advertised phase's lowest bit=1", () -> sender.advert(1, 0, 100, 7, 8, false));
        refused("advertised sequence=4 is outside 0 to 3", () -> sender.advert(2, 4, 100, 7, 8, false));
    }

    @Test
    void shouldRefuseAdvertsOfAPhaseThatIsOver() throws DirectCorruptedException {
        sender.send(3);
        sender.advert(2, 3, 100, 7, 8, false);
        refused("advertised phase=0 is outside 2", () -> sender.advert(0, 3, 100, 7, 8, false));
        sender.send(3);
        assertThat(recorder.said).containsExactly("ring 0+3", "buffer 100+3 by 7");
    }

    @Test
    void shouldRefuseCountsThatCannotBe() throws DirectCorruptedException {
        sender.send(3);
        refused("acknowledged bytes=4 is outside 0 to 3", () -> sender.acknowledged(4));
        sender.acknowledged(2);
        refused("acknowledged bytes=1 is outside 2 to 3", () -> sender.acknowledged(1));
        refused("withdrawn phase=2 is outside 0 to 0", () -> sender.withdraw(2));
    }

    @Test
    void shouldRefuseBytesForWhichThereIsNoRoom() throws DirectCorruptedException {
        refused("length of a direct write=1 is outside 1 to 0", () -> receiver.directArrived(1));
        refused("length of a write to the ring=17 is outside 1 to 16", () -> receiver.ringArrived(17));
        refused("length of a write to the ring=0", () -> receiver.ringArrived(0));
        receiver.receive(1, 10, false, true);
        refused("length of a direct write=11 is outside 1 to 10", () -> receiver.directArrived(11));
        refused("length of a direct write=0", () -> receiver.directArrived(0));
        receiver.ringArrived(5);
        refused("length of a direct write=1 is outside 1 to 0", () -> receiver.directArrived(1));
        refused("length of a write to the ring=12 is outside 1 to 11", () -> receiver.ringArrived(12));
    }

    @Test
    void shouldRefuseWhatNobodyAskedFor() throws DirectCorruptedException {
        refused("confirmations of a withdrawal=1 is outside 0 to 0", receiver::withdrawn);
        receiver.ringArrived(5);
        refused("bytes of the stream=4 is outside 5 to 5", () -> receiver.ended(4));
        receiver.ended(5);
        refused("bytes of the stream=5", () -> receiver.ended(5));
        refused("length of a write to the ring=1 is outside 1 to 0", () -> receiver.ringArrived(1));
    }

    @Test
    void shouldKeepAWithdrawnBufferUntilThePeerLetsGoOfIt() throws DirectCorruptedException {
        receiver.receive(1, 10, false, true);
        receiver.receive(2, 10, false, true);
        receiver.cancel(1);
        assertThat(recorder.said).containsExactly("advert 0/0 of 1, 0+10", "advert 0/1 of 2, 0+10", "withdraw 0");
        recorder.said.clear();
        receiver.withdrawn();
        assertThat(recorder.said).containsExactly("CANCELLED 0 of 1", "advert 2/0 of 2, 0+10");
    }

    @Test
    void shouldGiveWhatCameBeforeTheConfirmation() throws DirectCorruptedException {
        receiver.receive(1, 10, false, true);
        receiver.cancel(1);
        receiver.directArrived(4);
        receiver.withdrawn();
        assertThat(recorder.said).containsExactly("advert 0/0 of 1, 0+10", "withdraw 0", "DATA 4 of 1");
    }

    @Test
    void shouldAdvertiseTheRestOfAReceiveThatWaitsForAll() throws DirectCorruptedException {
        receiver.receive(1, 10, true, true);
        receiver.ringArrived(4);
        receiver.drain();
        receiver.directArrived(6);
        assertThat(recorder.said).containsExactly("advert 0/0 of 1, 0+10", "copy 0 to 1, 0+4", "acknowledge 4",
                "advert 2/4 of 1, 4+6", "DATA 10 of 1");
    }

    @Test
    void shouldNotAdvertiseWhatTheRingFills() throws DirectCorruptedException {
        receiver.ringArrived(5);
        receiver.receive(1, 4, false, true);
        receiver.receive(2, 4, false, true);
        assertThat(recorder.said).isEmpty();
        receiver.drain();
        receiver.receive(3, 4, false, true);
        assertThat(recorder.said).containsExactly("copy 0 to 1, 0+4", "DATA 4 of 1", "copy 4 to 2, 0+1", "DATA 1 of 2",
                "acknowledge 5", "advert 2/5 of 3, 0+4");
    }

    @Test
    void shouldForgetWhatComesAfterAShutdown() throws DirectCorruptedException {
        receiver.receive(1, 10, false, false);
        receiver.shutdown();
        receiver.ringArrived(5);
        receiver.drain();
        assertThat(receiver.receive(2, 10, false, true)).isFalse();
        assertThat(recorder.said).containsExactly("CANCELLED 0 of 1", "acknowledge 5");
    }

    @Test
    void shouldEndReceivesWithWhatTheyGot() throws DirectCorruptedException {
        receiver.receive(1, 10, true, true);
        receiver.receive(2, 10, false, true);
        receiver.directArrived(6);
        receiver.ended(6);
        receiver.drain();
        assertThat(recorder.said).contains("END 6 of 1", "END 0 of 2");
    }

    private static void refused(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(DirectCorruptedException.class).hasMessageContaining(message);
    }
}
