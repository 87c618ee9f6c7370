/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes more than any buffer holds to a reader that reads nothing until the writer has got no further for a while.
 * With the argument {@code selector} the writer does not block but selects.
 */
public final class StalledWriter {
    private static final int BYTES = 16 << 20;
    private static final int PAUSE_MILLIS = 200;

    private StalledWriter() { }

    public static void main(String[] args) throws Exception {
        boolean selects = args.length > 0 && args[0].equals("selector");
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel reader = SocketChannel.open(listener.getLocalAddress());
            SocketChannel writer = listener.accept();
            AtomicLong written = new AtomicLong();
            Thread thread = new Thread(() -> write(writer, selects, written));
            thread.start();
            awaitStandstill(thread, written);
            readAll(reader);
            thread.join();
            reader.close();
        }
        System.out.println("done");
    }

    private static void write(SocketChannel channel, boolean selects, AtomicLong written) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
        try (channel; Selector selector = selects ? Selector.open() : null) {
            if (selects) {
                channel.configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
            }
            while (written.get() < BYTES) {
                if (selects) {
                    selector.select(key -> { });
                }
                written.addAndGet(channel.write(bytes.clear()));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for the writer's end, which cannot come, until it writes no more: the time that it stalls. */
    private static void awaitStandstill(Thread writer, AtomicLong written) throws InterruptedException {
        long before;
        do {
            before = written.get();
            writer.join(PAUSE_MILLIS);
        } while (before == 0 || written.get() != before);
    }

    private static void readAll(SocketChannel channel) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
        while (channel.read(bytes.clear()) >= 0) {
            Thread.onSpinWait();
        }
    }
}
