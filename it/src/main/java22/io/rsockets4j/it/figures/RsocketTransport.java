/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * Librdmacm's rsockets, called by Java. A message comes whole, or not at all.
 *
 * @param blocking whether receiving waits, or asks again and again
 */
record RsocketTransport(boolean blocking) implements Transport {
    @Override
    public Acceptor listen(InetSocketAddress address, int bytes) throws Throwable {
        int listener = RsocketCalls.listen(address);
        return new Acceptor() {
            @Override
            public End accept() throws Throwable {
                return new RsocketEnd(RsocketCalls.accept(listener), blocking, bytes);
            }

            /** It goes with the process. */
            @Override
            public void close() {}
        };
    }

    @Override
    public End connect(InetSocketAddress address, int bytes) throws Throwable {
        int socket = RsocketCalls.open();
        RsocketCalls.connect(socket, RsocketCalls.encode(address));
        return new RsocketEnd(socket, blocking, bytes);
    }

    /** One end. */
    private static final class RsocketEnd implements End {
        private final int socket;
        private final boolean blocking;
        private final MemorySegment message;
        private final Patience patience = new Patience();

        RsocketEnd(int socket, boolean blocking, int bytes) {
            this.socket = socket;
            this.blocking = blocking;
            message = Arena.ofAuto().allocate(bytes);
        }

        @Override
        public void send() throws Throwable {
            check(RsocketCalls.send(socket, message, 0));
        }

        @Override
        public boolean receive() throws Throwable {
            boolean pause = blocking;
            patience.begin();
            long count = RsocketCalls.receive(socket, message, pause ? 0 : RsocketCalls.DO_NOT_WAIT);
            while (count < 0 && !pause) {
                pause = patience.isOver();
                count = RsocketCalls.receive(socket, message, pause ? 0 : RsocketCalls.DO_NOT_WAIT);
            }
            return count > 0 && check(count);
        }

        private boolean check(long count) {
            if (count != message.byteSize()) {
                throw new IllegalStateException(count + " bytes of a message of " + message.byteSize());
            }
            return true;
        }

        @Override
        public void close() throws Throwable {
            RsocketCalls.close(socket);
        }
    }
}
