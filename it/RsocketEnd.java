/* SPDX-License-Identifier: Apache-2.0 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** An rsocket that {@link RoundTrips} measures, which spins as rstream does. A message comes whole, or not at all. */
final class RsocketEnd implements RoundTrips.End {
    private final int socket;
    private final MemorySegment message = Arena.global().allocate(RoundTrips.BYTES);
    private final Patience patience = new Patience();

    private RsocketEnd(int socket) {
        this.socket = socket;
    }

    static RsocketEnd accept(InetSocketAddress address, RoundTrips.Listening listening) throws Throwable {
        int listener = Rsockets.listen(address);
        listening.now();
        return new RsocketEnd(Rsockets.accept(listener));
    }

    static RsocketEnd connect(InetSocketAddress address) throws Throwable {
        int socket = Rsockets.open();
        Rsockets.connect(socket, Rsockets.encode(address));
        return new RsocketEnd(socket);
    }

    @Override
    public void send() throws Throwable {
        check(Rsockets.send(socket, message, 0));
    }

    @Override
    public boolean receive() throws Throwable {
        boolean pause = false;
        patience.begin();
        long count = -1;
        while (count < 0) {
            if (pause) {
                throw new IllegalStateException("the connection is lost");
            }
            pause = patience.isOver();
            count = Rsockets.receive(socket, message, pause ? 0 : Rsockets.DO_NOT_WAIT);
        }
        return count != 0 && check(count);
    }

    private static boolean check(long count) {
        if (count != RoundTrips.BYTES) {
            throw new IllegalStateException(count + " bytes of a message of " + RoundTrips.BYTES);
        }
        return true;
    }

    @Override
    public void close() {
        try {
            Rsockets.close(socket);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
