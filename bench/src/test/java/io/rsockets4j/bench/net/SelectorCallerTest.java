/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SelectorCallerTest {

    private final List<String> events = new CopyOnWriteArrayList<>();

    /** The answer to a request may come while its sender has not let go of the request's buffer. */
    @Test
    void shouldNotTakeAnAnswerBeforeTheRequestHasBeenSent() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            HastyCall call = new HastyCall();
            try (SelectorCallers callers = new SelectorCallers();
                    SelectorCallers.SelectorCaller caller =
                            (SelectorCallers.SelectorCaller) callers.connect(listener.socket().getLocalPort(), call);
                    SocketChannel peer = listener.accept()) {
                peer.write(ByteBuffer.allocate(1));
                call.selecting = new Thread(caller::onReady);

                caller.send();

                call.selecting.join();
            }
        }
        assertThat(events).containsExactly("sent", "answered");
    }

    /** While a request is being sent, another thread tries to take its answer. */
    private final class HastyCall implements Call {

        private final ByteBuffer answer = ByteBuffer.allocate(1);
        private Thread selecting;

        @Override
        public ByteBuffer request() {
            selecting.start();
            while (selecting.getState() != Thread.State.WAITING && selecting.isAlive()) {
                Thread.onSpinWait();
            }
            events.add("sent");
            return ByteBuffer.allocate(1);
        }

        @Override
        public ByteBuffer target() {
            return answer;
        }

        @Override
        public boolean isAnswered() {
            events.add("answered");
            return true;
        }

        @Override
        public boolean isNextDue() {
            return false;
        }

        @Override
        public void fail(Throwable failure) {
            events.add(failure.toString());
        }
    }
}
