/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameChannelTest {
    @TempDir
    private Path directory;
    private UnixPair pair;
    private FrameChannel frames;

    @BeforeEach
    void connect() throws IOException {
        pair = UnixPair.open(directory);
        pair.far().configureBlocking(false);
        frames = new FrameChannel(pair.far());
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
    }

    @Test
    void shouldReadNothingWhereNothingHasCome() throws IOException {
        assertThat(frames.read()).isNull();
    }

    @Test
    void shouldReadAFrameThatComesInTwoPartsWhereverItIsCut() throws IOException {
        ByteBuffer frame = Frame.slots(3, "name");
        for (int cut = 1; cut < frame.limit(); cut++) {
            pair.near().write(frame.slice(0, cut));
            assertThat(frames.read()).as("cut at %d", cut).isNull();
            assertThat(frames.read()).as("nothing more").isNull();
            pair.near().write(frame.slice(cut, frame.limit() - cut));
            ByteBuffer read = frames.read();
            assertThat(read.get()).isEqualTo((byte) Frame.SLOTS);
            assertThat(Frame.getIndex(read)).isEqualTo(3);
            assertThat(Frame.getText(read)).isEqualTo("name");
        }
    }

    @Test
    void shouldReadFramesThatComeTogetherOneByOne() throws IOException {
        pair.near().write(new ByteBuffer[] {Frame.slotsMapped(1), Frame.ring(), Frame.slotsMapped(2)});
        assertThat(Frame.getIndex(frames.read().position(1))).isEqualTo(1);
        ByteBuffer ring = frames.read();
        assertThat(ring.remaining()).isEqualTo(1);
        assertThat(ring.get()).isEqualTo((byte) Frame.RING);
        assertThat(Frame.getIndex(frames.read().position(1))).isEqualTo(2);
        assertThat(frames.read()).isNull();
    }

    @Test
    void shouldReadTheLongestFrame() throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(4 + Frame.MAX_BYTES).putInt(0, Frame.MAX_BYTES);
        pair.near().write(frame);
        assertThat(frames.read().remaining()).isEqualTo(Frame.MAX_BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Frame.MAX_BYTES + 1, Integer.MAX_VALUE})
    void shouldRefuseAnImpossibleLength(int length) throws IOException {
        pair.near().write(ByteBuffer.allocate(8).putInt(0, length));
        assertThatThrownBy(() -> frames.read()).isInstanceOf(IOException.class)
                .hasMessage("a frame of " + length + " bytes is outside 1 to 1024");
    }

    @Test
    void shouldTellTheEndOfTheStreamWhereverItComes() throws IOException {
        ByteBuffer frame = Frame.slots(3, "name");
        for (int cut = 0; cut < frame.limit(); cut++) {
            try (UnixPair cutOff = UnixPair.open(directory)) {
                cutOff.far().configureBlocking(false);
                cutOff.near().write(frame.slice(0, cut));
                cutOff.near().close();
                FrameChannel ending = new FrameChannel(cutOff.far());
                assertThatThrownBy(() -> readTwice(ending)).as("cut at %d", cut).isInstanceOf(EOFException.class);
            }
        }
    }

    private static void readTwice(FrameChannel channel) throws IOException {
        assertThat(channel.read()).isNull();
        channel.read();
    }

    @Test
    void shouldWriteWhatItReads() throws IOException {
        new FrameChannel(pair.near()).write(Frame.slots(3, "name"));
        assertThat(Frame.getText(frames.read().position(3))).isEqualTo("name");
    }

    @Test
    void shouldNotWaitForAPeerThatDoesNotRead() {
        assertThatThrownBy(() -> {
            for (int i = 0; i < 1_000_000; i++) {
                frames.write(Frame.refused("r".repeat(255)));
            }
        }).isInstanceOf(IOException.class).hasMessage("the peer does not read its control socket");
    }

    @Test
    void shouldThrowNothingButIoExceptionsOnRandomBytes() throws IOException {
        SplittableRandom seeds = new SplittableRandom();
        for (int round = 0; round < 300; round++) {
            long seed = seeds.nextLong();
            try (UnixPair fuzzed = UnixPair.open(directory)) {
                fuzzed.far().configureBlocking(false);
                fuzzed.near().write(randomBytes(new SplittableRandom(seed)));
                fuzzed.near().close();
                FrameChannel channel = new FrameChannel(fuzzed.far());
                assertThatThrownBy(() -> readAll(channel)).as("seed %d", seed).isInstanceOf(IOException.class);
            }
        }
    }

    private static ByteBuffer randomBytes(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(4096)];
        random.nextBytes(bytes);
        for (int i = 0; i + 4 < bytes.length; i += random.nextInt(1, 200)) { // lengths that are possible, mostly
            bytes[i] = 0;
            bytes[i + 1] = 0;
            bytes[i + 2] = (byte) random.nextInt(4);
        }
        return ByteBuffer.wrap(bytes);
    }

    private static void readAll(FrameChannel channel) throws IOException {
        for (int i = 0; i < 10_000; i++) {
            ByteBuffer frame = channel.read();
            assertThat(frame == null || frame.hasRemaining()).isTrue();
        }
        throw new AssertionError("neither end nor error");
    }
}
