/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.net.InetSocketAddress;

/** How long a transport takes to connect, echo one byte and close. */
final class SetUps implements Figures.Side {
    private static final int MEASURED = 150;

    private final InetSocketAddress address;
    private final int warmUp;
    private final String kind;
    private final Transport transport;

    SetUps(InetSocketAddress address, int warmUp, String kind, Transport transport) {
        this.address = address;
        this.warmUp = warmUp;
        this.kind = kind;
        this.transport = transport;
    }

    @Override
    public void serve() throws Throwable {
        try (Transport.Acceptor listener = transport.listen(address, 1)) {
            System.out.println("listening");
            while (true) {
                Transport.End end = listener.accept();
                if (end.receive()) {
                    end.send();
                    end.receive(); // the end of the stream
                }
                end.close();
            }
        }
    }

    @Override
    public void measure() throws Throwable {
        long[] connect = new long[MEASURED];
        long[] all = new long[MEASURED];
        for (int i = -warmUp; i < MEASURED; i++) {
            long start = System.nanoTime();
            Transport.End end = transport.connect(address, 1);
            long connected = System.nanoTime();
            end.send();
            if (!end.receive()) {
                throw new IllegalStateException("the server hung up");
            }
            end.close();
            if (i >= 0) {
                connect[i] = connected - start;
                all[i] = System.nanoTime() - start;
            }
        }
        String title = kind.equals("block") ? "ours" : "rsockets";
        Figures.print(title + " connect", connect);
        Figures.print(title + " connect, echo, close", all);
    }
}
