/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The word that says how far one side of a link has ended. */
class LinkStateTest {
    private static final int BITS = 30;

    private final Link link = new FakeLink();

    @Test
    void shouldSayOnceThatABitIsNew() {
        assertThat(link.set(Link.OUTPUT_SHUT, 0)).isTrue();
        assertThat(link.set(Link.OUTPUT_SHUT, 0)).as("known before").isFalse();
        assertThat(link.set(Link.OUTPUT_SHUT | Link.INPUT_SHUT, 0)).as("one of them is new").isTrue();
        assertThat(link.state()).isEqualTo(Link.OUTPUT_SHUT | Link.INPUT_SHUT);
    }

    @Test
    void shouldSetNothingOnceAnotherBitForbidsIt() {
        link.set(Link.CLOSING, 0);
        assertThat(link.set(Link.OUTPUT_SHUT, Link.CLOSING)).isFalse();
        assertThat(link.state()).isEqualTo(Link.CLOSING);
    }

    @Test
    void shouldKeepThatAReadHasFailed() {
        link.readFailed();
        link.readFailed();
        assertThat(link.state()).isEqualTo(Link.READ_FAILED);
    }

    @Test
    @Timeout(30)
    void shouldLoseNoBitThatAnotherThreadSets() throws Exception {
        Link[] many = Stream.generate(FakeLink::new).limit(20_000).toArray(Link[]::new);
        CountDownLatch begin = new CountDownLatch(1);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            begin.countDown();
            setEverySecondBit(many, 1);
        });
        begin.await();
        setEverySecondBit(many, 0);
        other.get();
        assertThat(many).allMatch(one -> one.state() == (1 << BITS) - 1);
    }

    private static void setEverySecondBit(Link[] many, int first) {
        for (Link one : many) {
            for (int bit = first; bit < BITS; bit += 2) {
                one.set(1 << bit, 0);
            }
        }
    }
}
