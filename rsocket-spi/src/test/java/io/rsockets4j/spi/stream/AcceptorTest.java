/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SpinPolicy;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose turn it is when links and TCP clients come at once. */
@Timeout(30)
class AcceptorTest {
    private final AcceptQueue queue = new AcceptQueue(100, new SpinPolicy(0, 1));
    private final FakeDoor door = new FakeDoor();

    @Test
    void shouldGiveTcpATurnAfterSixteenLinks() throws IOException {
        offer(20);
        door.tcpClients.add("tcp");
        Acceptor<String> acceptor = new Acceptor<>(queue, false);
        for (int i = 0; i < 18; i++) {
            door.accepted.add(acceptor.accept(door, Deadline.NEVER));
        }
        assertThat(door.accepted.subList(0, 16)).containsOnly("link");
        assertThat(door.accepted.subList(16, 18)).containsExactly("tcp", "link");
    }

    @Test
    void shouldGoOnWithLinksWhereTcpDoesNotTakeItsTurn() throws IOException {
        offer(17);
        Acceptor<String> acceptor = new Acceptor<>(queue, false);
        for (int i = 0; i < 17; i++) {
            assertThat(acceptor.acceptNow(door, false)).isEqualTo("link");
        }
        assertThat(door.looks).isEqualTo(1);
    }

    @Test
    void shouldLeaveTcpAloneUntilAClientIsSeen() throws IOException {
        Acceptor<String> acceptor = new Acceptor<>(queue, false);
        door.tcpClients.add("tcp");
        assertThat(acceptor.acceptNow(door, false)).isNull();
        assertThat(door.looks).isZero();
        assertThat(acceptor.accept(door, Deadline.NEVER)).isEqualTo("tcp"); // which the sleep has seen
        assertThat(door.sleeps).isEqualTo(1);
    }

    @Test
    void shouldTryTcpAtOnceWhereThatDoesNotWait() throws IOException {
        door.tcpClients.add("tcp");
        assertThat(new Acceptor<String>(queue, true).accept(door, Deadline.NEVER)).isEqualTo("tcp");
        assertThat(door.sleeps).isZero();
    }

    @Test
    void shouldTimeOut() {
        assertThatThrownBy(() -> new Acceptor<String>(queue, true).accept(door, System.nanoTime()))
                .isExactlyInstanceOf(SocketTimeoutException.class).hasMessage("Accept timed out");
    }

    @Test
    void shouldLookAtTheDoorBeforeEachAttempt() {
        door.closed = true;
        offer(1);
        assertThatThrownBy(() -> new Acceptor<String>(queue, true).accept(door, Deadline.NEVER)).hasMessage("closed");
        assertThat(queue.isPending()).isTrue();
    }

    private void offer(int links) {
        for (int i = 0; i < links; i++) {
            assertThat(queue.offer(new WatchfulLink())).isTrue();
        }
    }

    private static final class FakeDoor implements Acceptor.Door<String> {
        private final Deque<String> tcpClients = new ArrayDeque<>();
        private final List<String> accepted = new ArrayList<>();
        private boolean closed;
        private int looks;
        private int sleeps;

        @Override
        public String link(Link link) {
            return "link";
        }

        @Override
        public String tcp(boolean seen) {
            looks++;
            return tcpClients.poll();
        }

        @Override
        public void check() throws IOException {
            if (closed) {
                throw new IOException("closed");
            }
        }

        @Override
        public boolean sleep(long deadlineNanos) {
            sleeps++;
            return !tcpClients.isEmpty();
        }
    }
}
