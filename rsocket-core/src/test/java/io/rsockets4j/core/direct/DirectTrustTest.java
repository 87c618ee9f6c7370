/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    private final PeerAdverts sender = new PeerAdverts();
    private final OwnAdverts receiver = new OwnAdverts();

    private static Advert advert(long ringBytes, long address, int length) {
        return new Advert(ringBytes, address, length, 7, false);
    }

    private static Advert waiting(int length) {
        return new Advert(0, 4096, length, 7, true);
    }

    private static void refused(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isExactlyInstanceOf(DirectCorruptedException.class).hasMessageContaining(message);
    }

    @Property(tries = 2_000)
    void shouldSendWithinBoundsWhateverThePeerSays(@ForAll("numbers") long[] said) {
        long sent = 0;
        for (int i = 0; i + 3 < said.length; i++) {
            try {
                sender.hold(new Advert(said[i], said[i + 1], (int) said[i + 2], 7, (said[i + 3] & 1) == 0), sent);
            } catch (DirectCorruptedException e) {
                assertThat(e).hasMessageContaining("is outside");
            }
            long room = sender.room(sent);
            int taken = sender.take(sent, 20, 4096, 1);
            assertThat((long) taken).isEqualTo(Math.min(room, 20));
            assertThat(sender.straight(sent)).isBetween(0, 20);
            sent += i % 3 == 0 ? 20 : taken;
            assertThat(sender.isWritten(sent)).isTrue();
        }
    }

    @Property(tries = 2_000)
    void shouldReceiveWithinBoundsWhateverThePeerSays(@ForAll("numbers") long[] said) {
        for (int i = 0; i < said.length; i++) {
            if (receiver.count() < OwnAdverts.MAX) {
                receiver.add(new Advert(0, 4096, 10, 7, i % 3 == 0));
            }
            try {
                receiver.arrived((int) said[i], i % 2 == 0, i % 7 / 6);
                if (i % 5 == 0) {
                    receiver.endPart();
                }
            } catch (DirectCorruptedException e) {
                assertThat(e).hasMessageContaining("is outside");
            }
            assertThat(receiver.open()).isBetween(0, receiver.count());
            assertThat(receiver.take()).isBetween(0, 10);
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
        refused("advertised length=0 is outside 1", () -> sender.hold(advert(0, 4096, 0), 9));
        refused("advertised address=0 is outside 1", () -> sender.hold(advert(0, 0, 8), 9));
        refused("advertised address=9223372036854775807", () -> sender.hold(advert(0, Long.MAX_VALUE, 1), 9));
        refused("ring's bytes=-1 is outside 0 to 9", () -> sender.hold(advert(-1, 4096, 8), 9));
        refused("ring's bytes=10 is outside 0 to 9", () -> sender.hold(advert(10, 4096, 8), 9));
        sender.hold(advert(3, 4096, 8), 9);
        refused("ring's bytes=2 is outside 3 to 9", () -> sender.hold(advert(2, 4096, 8), 9));
    }

    @Test
    void shouldHoldSoManyAdvertsAndNoMore() throws DirectCorruptedException {
        for (int i = 0; i < OwnAdverts.MAX; i++) {
            sender.hold(advert(0, 4096, 8), 9);
        }
        refused("number of adverts=33 is outside 1 to 32", () -> sender.hold(advert(0, 4096, 8), 9));
        sender.hold(advert(1, 4096, 8), 9);
        assertThat(sender.room(1)).as("those of an earlier count are gone").isEqualTo(8);
    }

    @Test
    void shouldUseNoAdvertOnceMoreWentByTheRing() throws DirectCorruptedException {
        sender.hold(advert(0, 4096, 8), 9);
        assertThat(sender.take(1, 20, 500, 1)).isZero();
        assertThat(sender.isHeld()).isFalse();
        assertThat(sender.take(0, 20, 500, 1)).as("it is gone").isZero();
    }

    @Test
    void shouldWaitWithAnAdvertForBytesThatWereNotSent() throws DirectCorruptedException {
        sender.hold(advert(5, 4096, 8), 9);
        assertThat(sender.take(4, 20, 500, 1)).isZero();
        assertThat(sender.take(5, 20, 500, 1)).isEqualTo(8);
        assertThat(sender.straight(3)).isZero();
        assertThat(sender.byRing(3)).as("bytes before").isEqualTo(2);
    }

    @Test
    void shouldFillBuffersInOrder() throws DirectCorruptedException {
        sender.hold(advert(0, 1000, 8), 9);
        sender.hold(new Advert(0, 2000, 8, 9, true), 9);
        assertThat(sender.take(0, 3, 500, 1)).isEqualTo(3); // the rest of the first one is not used
        assertThat(sender.take(3, 3, 600, 1)).isEqualTo(3);
        assertThat(sender.take(6, 20, 700, 1)).isEqualTo(5);
        assertThat(sender.straight(0)).isEqualTo(3);
        assertThat(sender.fromAddress(2)).isEqualTo(502);
        assertThat(sender.fromKey()).isEqualTo(1);
        assertThat(sender.address(2)).isEqualTo(1002);
        assertThat(sender.key()).isEqualTo(7);
        assertThat(sender.endsBuffer()).isTrue();
        assertThat(sender.straight(3)).isEqualTo(3);
        assertThat(sender.endsBuffer()).isFalse();
        assertThat(sender.straight(6)).isEqualTo(5);
        assertThat(sender.fromAddress(6)).isEqualTo(700);
        assertThat(sender.address(10)).isEqualTo(2007);
        assertThat(sender.key()).isEqualTo(9);
        assertThat(sender.endsBuffer()).isTrue();
        assertThat(sender.isWritten(10)).isFalse();
        assertThat(sender.isWritten(11)).isTrue();
    }

    @Test
    void shouldRefuseBytesForWhichThereIsNoRoom() throws DirectCorruptedException {
        refused("length of a direct write=1 is outside 1 to 0", () -> receiver.arrived(1, true, 0));
        receiver.add(advert(5, 4096, 10));
        refused("length of a direct write=1 is outside 1 to 0", () -> receiver.arrived(1, true, 4));
        refused("length of a direct write=1 is outside 1 to 0", () -> receiver.arrived(1, true, 6));
        refused("length of a direct write=0 is outside 1 to 10", () -> receiver.arrived(0, true, 5));
        receiver.arrived(4, false, 5);
        refused("length of a direct write=7 is outside 1 to 6", () -> receiver.arrived(7, true, 5));
    }

    @Test
    void shouldRefuseTheEndOfABufferThatLacksBytes() throws DirectCorruptedException {
        receiver.add(waiting(10));
        refused("length of a last direct write=4 is outside 10 to 10", () -> receiver.arrived(4, true, 0));
        receiver.arrived(4, false, 0);
        receiver.endPart();
        assertThat(receiver.take()).as("but the stream may go on elsewhere").isEqualTo(4);
        receiver.add(advert(0, 4096, 10));
        receiver.arrived(4, false, 0);
        refused("bytes that are missing", receiver::endPart);
    }

    @Test
    void shouldKeepWhatIsDoneWhenTheLinkGoes() throws DirectCorruptedException {
        for (int i = 0; i < 4; i++) {
            receiver.add(advert(0, 4096, 10));
        }
        receiver.arrived(10, true, 0);
        receiver.arrived(3, false, 0);
        receiver.end();
        assertThat(receiver.open()).isZero();
        assertThat(receiver.take()).isEqualTo(10);
        assertThat(receiver.take()).isEqualTo(3);
        assertThat(receiver.take()).isZero();
        assertThat(receiver.count()).isZero();
    }
}
