/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Task;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;

/** A connect that blocks, because the backlog of the server that it goes to is full. */
final class BlockedConnect {
    private static final int BACKLOG = 1;
    private static final int MANY = 64;

    private final SocketChannel channel;
    private final Task<Boolean> task;

    private BlockedConnect(SocketChannel channel, Task<Boolean> task) {
        this.channel = channel;
        this.task = task;
    }

    /** Fills a backlog, then starts a blocking connect on a thread of its own, and returns once that is blocked. */
    static BlockedConnect start(SuiteCase suite) throws Exception {
        SocketAddress address = fullServer(suite);
        SocketChannel channel = suite.open();
        Task<Boolean> task = suite.start("connecting", () -> channel.connect(address));
        task.awaitBlockedIn("connect");
        return new BlockedConnect(channel, task);
    }

    /**
     * @return the address of a server which accepts nothing, and to which a non-blocking connect did not come through
     */
    static SocketAddress fullServer(SuiteCase suite) throws Exception {
        SocketAddress any = new InetSocketAddress(Machine.address(), 0);
        SocketAddress address = suite.openServer().bind(any, BACKLOG).getLocalAddress();
        for (int i = 0; i < MANY; i++) {
            SocketChannel filler = suite.open();
            filler.configureBlocking(false);
            if (!filler.connect(address) && !isSoonConnected(filler)) {
                return address;
            }
        }
        throw new AssertionError("a backlog of " + BACKLOG + " took " + MANY + " connections");
    }

    SocketChannel channel() {
        return channel;
    }

    Task<Boolean> task() {
        return task;
    }

    private static boolean isSoonConnected(SocketChannel channel) throws Exception {
        long deadline = System.nanoTime() + 200_000_000L;
        while (!channel.finishConnect()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }
}
