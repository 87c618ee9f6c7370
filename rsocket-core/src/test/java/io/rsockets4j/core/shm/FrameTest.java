/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameTest {
    private static final Frame.ShmHello HELLO =
            new Frame.ShmHello(1, 65_535, -1, 4_026_531_840L, 262_144, "a".repeat(255), "", "b".repeat(255));
    private static final Frame.Welcome WELCOME = new Frame.Welcome(Frame.VERSION, "c".repeat(255));

    interface Decoder {
        Object decode(ByteBuffer payload) throws IOException;
    }

    /** A kind of frame: an example and who reads it. */
    record Kind(int type, ByteBuffer frame, Object content, Decoder decoder) {
        @Override
        public String toString() {
            return "type " + type;
        }
    }

    static List<Kind> kinds() {
        return List.of(
                new Kind(Frame.HELLO, Frame.hello(HELLO), HELLO, Frame::readHello),
                new Kind(Frame.WELCOME, Frame.welcome(WELCOME), WELCOME, Frame::readWelcome),
                new Kind(Frame.REFUSED, Frame.refused("because \u00e4"), "because \u00e4", Frame::getText),
                new Kind(Frame.SLOTS, Frame.slots(65_535, "name"), "65535 name",
                        payload -> Frame.getIndex(payload) + " " + Frame.getText(payload)),
                new Kind(Frame.SLOTS_MAPPED, Frame.slotsMapped(255), 255, Frame::getIndex));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldRoundTrip(Kind kind) throws IOException {
        ByteBuffer frame = kind.frame().duplicate();
        assertThat(frame.getInt()).isEqualTo(frame.remaining()).isLessThanOrEqualTo(Frame.MAX_BYTES);
        assertThat(frame.get()).isEqualTo((byte) kind.type());
        assertThat(kind.decoder().decode(frame)).isEqualTo(kind.content());
        assertThat(frame.hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldRefuseAPayloadThatIsTruncatedAtAnyByte(Kind kind) {
        ByteBuffer payload = kind.frame().slice(5, kind.frame().limit() - 5);
        for (int length = 0; length < payload.limit(); length++) {
            ByteBuffer truncated = payload.slice(0, length);
            assertThatThrownBy(() -> kind.decoder().decode(truncated)).as("%d of %d bytes", length, payload.limit())
                    .isInstanceOf(IOException.class).hasMessageMatching("(a|an) .*(too early|its text|its frame)");
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldThrowNothingButIoExceptionsOnRandomBytes(Kind kind) {
        SplittableRandom seeds = new SplittableRandom();
        for (int round = 0; round < 20_000; round++) {
            long seed = seeds.nextLong();
            Throwable thrown = catchThrowable(() -> kind.decoder().decode(randomPayload(kind, seed)));
            if (thrown != null && !(thrown instanceof IOException)) {
                throw new AssertionError("seed " + seed, thrown);
            }
        }
        assertThat(catchThrowable(() -> kind.decoder().decode(ByteBuffer.allocate(0)))).isInstanceOf(IOException.class);
    }

    /** Any bytes, or a good payload with a few of them changed. */
    private static ByteBuffer randomPayload(Kind kind, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = new byte[random.nextInt(kind.frame().limit() + 10)];
        if (random.nextBoolean()) {
            kind.frame().get(5, bytes, 0, Math.min(bytes.length, kind.frame().limit() - 5));
            for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
        } else {
            random.nextBytes(bytes);
        }
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void shouldRefuseAForeignMagicInWhateverByteItDiffers() {
        for (Kind kind : List.of(kinds().get(0), kinds().get(1))) {
            for (int i = 0; i < Long.BYTES; i++) {
                ByteBuffer payload = kind.frame().slice(5, kind.frame().limit() - 5);
                payload.put(i, (byte) (payload.get(i) ^ 0x10));
                assertThatThrownBy(() -> kind.decoder().decode(payload)).as("%s, byte %d", kind, i)
                        .isInstanceOf(IOException.class).hasMessageContaining("magic");
                payload.put(i, (byte) (payload.get(i) ^ 0x10));
            }
        }
    }

    @Test
    void shouldReadTheVersionsAloneOfAHelloThatOffersOthers() throws IOException {
        ByteBuffer payload = Frame.hello(HELLO).position(5);
        payload.putShort(payload.position() + Long.BYTES, (short) (Frame.VERSION + 1));
        ByteBuffer versions = payload.slice(payload.position(), Long.BYTES + 2 * Short.BYTES);
        Frame.ShmHello hello = Frame.readHello(versions);
        assertThat(hello.minVersion()).isEqualTo(Frame.VERSION + 1);
        assertThat(hello.maxVersion()).isEqualTo(65_535);
        assertThat(hello.bellsName()).isEmpty();
    }

    @Test
    void shouldReadTheVersionAloneOfAWelcomeThatChoseAnother() throws IOException {
        ByteBuffer payload = Frame.welcome(new Frame.Welcome(65_535, "")).position(5);
        assertThat(Frame.readWelcome(payload.limit(5 + Long.BYTES + Short.BYTES)))
                .isEqualTo(new Frame.Welcome(65_535, ""));
    }

    @Test
    void shouldRingWithAFrameOfDirectMemoryThatIsGoodForAllTimes() {
        ByteBuffer ring = Frame.ring();
        assertThat(ring.isDirect()).isTrue();
        for (int round = 0; round < 2; round++) {
            assertThat(ring.rewind().getInt()).isEqualTo(1);
            assertThat(ring.get()).isEqualTo((byte) Frame.RING);
            assertThat(ring.hasRemaining()).isFalse();
        }
    }

    @Test
    void shouldCutAReasonThatIsTooLong() throws IOException {
        assertThat(Frame.getText(Frame.refused("r".repeat(2000)).position(5))).isEqualTo("r".repeat(255));
    }
}
