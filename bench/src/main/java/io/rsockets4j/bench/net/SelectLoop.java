/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Iterator;

/** A {@link Selector} and the one thread that serves its keys; each key's attachment is a {@link Handler}. */
final class SelectLoop implements Closeable {
    private final Selector selector = Selector.open();
    private volatile boolean closed;

    /** Does what a connection is ready for, on the loop's thread. */
    interface Handler {
        void onReady() throws IOException;
    }

    SelectLoop() throws IOException {}

    Selector selector() {
        return selector;
    }

    void start(String name) {
        BlockingServer.start(name, this::run);
    }

    private void run() {
        try (selector) {
            try {
                while (!closed) {
                    selector.select();
                    dispatchSelected();
                }
            } finally {
                for (SelectionKey key : selector.keys()) {
                    key.channel().close();
                }
            }
        } catch (IOException e) {
            System.err.println(Thread.currentThread().getName() + ": " + e);
        }
    }

    private void dispatchSelected() throws IOException {
        Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
        while (selected.hasNext()) {
            SelectionKey key = selected.next();
            selected.remove();
            if (key.isValid()) {
                ((Handler) key.attachment()).onReady();
            }
        }
    }

    /** Lets the thread end, which closes the connections and the selector. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
