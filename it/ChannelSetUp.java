/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * How long socket channels take to connect, echo one byte and close, measured as RsocketsSetUp measures rsockets. Both
 * ends are processes of their own with the same options, such as the agent's. Run as a source file: ChannelSetUp.java
 * ADDRESS.
 */
final class ChannelSetUp implements Measurement.Side {
    private static final int PORT = 7702;
    private static final int WARM_UP = 2500; // what the first compiler needs
    private static final int MEASURED = 150;

    private final InetSocketAddress address;
    private final ByteBuffer oneByte = ByteBuffer.allocateDirect(1);

    private ChannelSetUp(String host) {
        address = new InetSocketAddress(host, PORT);
    }

    public static void main(String[] args) throws Throwable {
        Measurement.run(new ChannelSetUp(args[0]), args);
    }

    @Override
    public void serve() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            System.out.println("listening");
            for (;;) {
                try (SocketChannel end = listener.accept()) {
                    if (receive(end) == 1) {
                        send(end);
                        receive(end); // the end of the stream
                    }
                }
            }
        }
    }

    @Override
    public void measure() throws IOException {
        long[] connect = new long[MEASURED];
        long[] all = new long[MEASURED];
        for (int i = -WARM_UP; i < MEASURED; i++) {
            long start = System.nanoTime();
            SocketChannel end = SocketChannel.open(address);
            long connected = System.nanoTime();
            send(end);
            receive(end);
            end.close();
            if (i >= 0) {
                connect[i] = connected - start;
                all[i] = System.nanoTime() - start;
            }
        }
        Measurement.print("ours connect", connect);
        Measurement.print("ours connect, echo, close", all);
    }

    private void send(SocketChannel end) throws IOException {
        oneByte.clear();
        end.write(oneByte);
    }

    private int receive(SocketChannel end) throws IOException {
        oneByte.clear();
        return end.read(oneByte);
    }
}
