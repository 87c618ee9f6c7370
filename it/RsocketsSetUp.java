/* SPDX-License-Identifier: Apache-2.0 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * How long librdmacm's rsockets take to connect, echo one byte and close, as work {@code connect} of the benchmark does
 * it; rstream does not tell. Both ends are processes of their own. Run as a source file: RsocketsSetUp.java ADDRESS.
 */
final class RsocketsSetUp implements Measurement.Side {
    private static final int PORT = 7711;
    private static final int WARM_UP = 50;
    private static final int MEASURED = 150;

    private final InetSocketAddress address;
    private final MemorySegment oneByte = Arena.global().allocate(1);

    private RsocketsSetUp(String host) {
        address = new InetSocketAddress(host, PORT);
    }

    public static void main(String[] args) throws Throwable {
        Measurement.run(new RsocketsSetUp(args[0]), args);
    }

    @Override
    public void serve() throws Throwable {
        int listener = Rsockets.listen(address);
        System.out.println("listening");
        for (;;) {
            int end = Rsockets.accept(listener);
            if (Rsockets.receive(end, oneByte, 0) == 1) {
                send(end);
                Rsockets.receive(end, oneByte, 0); // the end of the stream
            }
            Rsockets.close(end);
        }
    }

    @Override
    public void measure() throws Throwable {
        long[] connect = new long[MEASURED];
        long[] all = new long[MEASURED];
        MemorySegment encoded = Rsockets.encode(address);
        for (int i = -WARM_UP; i < MEASURED; i++) {
            long start = System.nanoTime();
            int end = Rsockets.open();
            Rsockets.connect(end, encoded);
            long connected = System.nanoTime();
            send(end);
            Rsockets.check("rrecv", (int) Rsockets.receive(end, oneByte, 0));
            Rsockets.close(end);
            if (i >= 0) {
                connect[i] = connected - start;
                all[i] = System.nanoTime() - start;
            }
        }
        Measurement.print("rsockets connect", connect);
        Measurement.print("rsockets connect, echo, close", all);
    }

    private void send(int end) throws Throwable {
        Rsockets.check("rsend", (int) Rsockets.send(end, oneByte, 0));
    }
}
