/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Requires;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.WritePendingException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What asynchronous channels refuse and when, timeouts, cancelled futures, half-close and close. */
abstract class AsyncStateCases extends AsyncCase {
    private static final long SHORT_MS = 50;

    private static ByteBuffer one() {
        return ByteBuffer.allocate(1);
    }

    private static Handled<Integer> startRead(AsynchronousSocketChannel channel, long timeoutMillis) {
        Handled<Integer> read = new Handled<>();
        channel.read(one(), timeoutMillis, TimeUnit.MILLISECONDS, null, read);
        return read;
    }

    // ---- what is refused at once

    @Test
    void shouldRefuseDataBeforeConnect() throws Exception {
        AsynchronousSocketChannel channel = openAsync();
        assertThatThrownBy(() -> channel.read(one())).isExactlyInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(() -> channel.write(one())).isExactlyInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(channel::shutdownInput).isExactlyInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(channel::shutdownOutput).isExactlyInstanceOf(NotYetConnectedException.class);
    }

    @Test
    void shouldRefuseASecondOperationOfAKind() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(one());
        assertThatThrownBy(() -> pair.client().read(one())).isExactlyInstanceOf(ReadPendingException.class);
        assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(0)))
                .isExactlyInstanceOf(ReadPendingException.class);
        Future<Integer> write = startPendingWrite(pair.client());
        assertThatThrownBy(() -> pair.client().write(one())).isExactlyInstanceOf(WritePendingException.class);
        assertThat(read.isDone()).isFalse();
        assertThat(write.isDone()).isFalse();
    }

    @Test
    void shouldRefuseASecondAcceptAndOneBeforeBind() throws Exception {
        AsynchronousServerSocketChannel unbound = openAsyncServer(null);
        assertThatThrownBy(unbound::accept).isExactlyInstanceOf(NotYetBoundException.class);
        AsynchronousServerSocketChannel server = listenAsync();
        Future<AsynchronousSocketChannel> accept = server.accept();
        assertThatThrownBy(server::accept).isExactlyInstanceOf(AcceptPendingException.class);
        assertThat(accept.isDone()).isFalse();
        assertThatThrownBy(() -> server.bind(null)).isExactlyInstanceOf(AlreadyBoundException.class);
    }

    @Test
    void shouldRefuseAddressesThatMakeNoSense() throws Exception {
        AsynchronousSocketChannel channel = openAsync();
        assertThatThrownBy(() -> channel.connect(null)).isExactlyInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> channel.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1)))
                .isExactlyInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> channel.connect(UnixDomainSocketAddress.of("/tmp/none")))
                .isExactlyInstanceOf(UnsupportedAddressTypeException.class);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseToConnectAgain() throws Exception {
        AsyncPair pair = connectAsync();
        SocketAddress remote = pair.client().getRemoteAddress();
        assertThatThrownBy(() -> pair.client().connect(remote)).isExactlyInstanceOf(AlreadyConnectedException.class);
        assertThatThrownBy(() -> pair.server().connect(remote)).isExactlyInstanceOf(AlreadyConnectedException.class);
        assertThatThrownBy(() -> pair.client().bind(null)).isExactlyInstanceOf(AlreadyBoundException.class);
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldKnowThatItIsConnecting() throws Exception {
        SocketAddress address = BlockedConnect.fullServer(this);
        AsynchronousSocketChannel channel = openAsync();
        Handled<Void> connect = new Handled<>();
        channel.connect(address, null, connect);
        assertThatThrownBy(() -> channel.connect(address)).isExactlyInstanceOf(ConnectionPendingException.class);
        assertThatThrownBy(() -> channel.bind(null)).isExactlyInstanceOf(ConnectionPendingException.class);
        assertThatThrownBy(() -> channel.read(one())).isExactlyInstanceOf(NotYetConnectedException.class);
        assertThat(channel.getRemoteAddress()).isNull();
        assertThat(connect.isDone()).isFalse();
        channel.close();
        assertThat(connect.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldRefuseArgumentsThatMakeNoSense() throws Exception {
        AsynchronousSocketChannel channel = connectAsync().client();
        Handled<Long> handler = new Handled<>();
        assertThatThrownBy(() -> channel.read(one().asReadOnlyBuffer()))
                .isExactlyInstanceOf(IllegalArgumentException.class).hasMessage("Read-only buffer");
        assertThatThrownBy(() -> channel.read(one(), null, null)).isExactlyInstanceOf(NullPointerException.class)
                .hasMessage("'handler' is null");
        assertThatThrownBy(() -> channel.read(new ByteBuffer[1], 1, 1, 0, TimeUnit.SECONDS, null, handler))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> channel.read(new ByteBuffer[1], 0, 1, 0, TimeUnit.SECONDS, null, handler))
                .isExactlyInstanceOf(NullPointerException.class);
        assertThat(handler.isDone()).isFalse();
    }

    // ---- closed channels

    @Test
    void shouldFailWhatBeginsOnAClosedChannel() throws Exception {
        AsynchronousSocketChannel channel = connectAsync().client();
        AsynchronousServerSocketChannel server = listenAsync();
        channel.close();
        server.close();
        assertThat(failureOf(channel.read(one()))).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(failureOf(channel.write(one()))).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(failureOf(channel.connect(null))).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(failureOf(server.accept())).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(startRead(channel, 0).failure()).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::shutdownInput).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getLocalAddress).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getRemoteAddress).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(server::getLocalAddress).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.bind(null)).isExactlyInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldEndWhatIsPendingByClose() throws Exception {
        AsyncPair pair = connectAsync();
        Handled<Integer> read = startRead(pair.client(), 0);
        Future<Integer> write = startPendingWrite(pair.client());
        pair.client().close();
        assertThat(read.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(failureOf(write)).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(pair.client().isOpen()).isFalse();
        pair.client().close();
    }

    @Test
    void shouldEndAWaitedForReadByClose() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(one());
        var waiter = start("waiter", () -> failureOf(read));
        waiter.awaitBlockedIn("get");
        pair.client().close();
        assertThat(waiter.join()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldEndAPendingAcceptByClose() throws Exception {
        AsynchronousServerSocketChannel server = listenAsync();
        Handled<AsynchronousSocketChannel> accept = new Handled<>();
        server.accept(null, accept);
        server.close();
        assertThat(accept.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldCloseAChannelThatIsRefused() throws Exception {
        AsynchronousSocketChannel channel = openAsync();
        Handled<Void> connect = new Handled<>();
        channel.connect(Machine.closedPort(), null, connect);
        assertThat(connect.failure()).isExactlyInstanceOf(ConnectException.class)
                .hasMessageStartingWith("Connection refused");
        assertThat(channel.isOpen()).isFalse();
    }

    // ---- half-close

    @Test
    void shouldEndReadsByShutdownInput() throws Exception {
        AsyncPair pair = connectAsync();
        Handled<Integer> pending = startRead(pair.client(), 0);
        assertThat(pair.client().shutdownInput()).isSameAs(pair.client());
        assertThat(pending.result()).isEqualTo(-1);
        assertThat(get(pair.client().read(one()))).isEqualTo(-1);
        assertThat(get(pair.client().write(one()))).isEqualTo(1);
    }

    @Test
    void shouldRefuseWritesAfterShutdownOutput() throws Exception {
        AsyncPair pair = connectAsync();
        get(pair.client().write(one()));
        pair.client().shutdownOutput().shutdownOutput();
        assertThat(failureOf(pair.client().write(one()))).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(failureOf(pair.client().write(ByteBuffer.allocate(0))))
                .isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(get(pair.server().read(ByteBuffer.allocate(2)))).isEqualTo(1);
        assertThat(get(pair.server().read(one()))).isEqualTo(-1);
    }

    @Test
    void shouldEndAPendingWriteByShutdownOutput() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> write = startPendingWrite(pair.client());
        pair.client().shutdownOutput();
        assertThat(failureOf(write)).isInstanceOf(IOException.class);
    }

    // ---- timeouts and cancellation: nobody knows what became of the bytes, so that direction is over

    @Test
    void shouldTimeOutARead() throws Exception {
        AsyncPair pair = connectAsync();
        long start = System.nanoTime();
        Handled<Integer> read = startRead(pair.client(), SHORT_MS);
        assertThat(read.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SHORT_MS));
        assertThat(pair.client().isOpen()).isTrue();
        assertThatThrownBy(() -> pair.client().read(one())).isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("Reading not allowed due to timeout or cancellation");
        assertThat(get(pair.client().write(one()))).isEqualTo(1);
    }

    @Test
    void shouldTimeOutAWrite() throws Exception {
        AsyncPair pair = connectAsync();
        startPendingWrite(pair.client()).cancel(false);
        AsyncPair other = connectAsync();
        Handled<Integer> last;
        do {
            last = new Handled<>();
            other.client().write(ByteBuffer.allocateDirect(1 << 18), SHORT_MS, TimeUnit.MILLISECONDS, null, last);
            last.thread();
        } while (!isTimedOut(last));
        assertThatThrownBy(() -> other.client().write(one())).isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("Writing not allowed due to timeout or cancellation");
        get(other.server().write(one()));
        assertThat(get(other.client().read(one()))).isEqualTo(1);
    }

    private static boolean isTimedOut(Handled<Integer> write) {
        try {
            return write.result() < 0;
        } catch (AssertionError e) {
            assertThat(write.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
            return true;
        }
    }

    /** A later deadline is not cut short by an earlier one that was kept. */
    @Test
    void shouldTimeEachOperationByItself() throws Exception {
        AsyncPair pair = connectAsync();
        for (int i = 0; i < 3; i++) {
            Handled<Integer> quick = startRead(pair.client(), 20 * SHORT_MS);
            get(pair.server().write(one()));
            assertThat(quick.result()).isEqualTo(1);
        }
        long start = System.nanoTime();
        Handled<Integer> patient = startRead(pair.client(), 24 * SHORT_MS);
        assertThat(patient.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(24 * SHORT_MS));
    }

    @Test
    void shouldNotTimeOutWithoutATimeout() throws Exception {
        AsyncPair pair = connectAsync();
        Handled<Integer> forEver = startRead(pair.client(), 0);
        Handled<Integer> negative = startRead(pair.server(), -1);
        assertThat(startRead(connectAsync().client(), SHORT_MS).failure())
                .isExactlyInstanceOf(InterruptedByTimeoutException.class);
        assertThat(forEver.isDone()).isFalse();
        assertThat(negative.isDone()).isFalse();
    }

    @Test
    void shouldLimitTheWaitForAFutureAlone() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(one());
        assertThatThrownBy(() -> read.get(SHORT_MS, TimeUnit.MILLISECONDS))
                .isExactlyInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> read.get(0, TimeUnit.MILLISECONDS)).isExactlyInstanceOf(TimeoutException.class);
        get(pair.server().write(one()));
        assertThat(get(read)).isEqualTo(1);
        assertThat(read.cancel(true)).isFalse();
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldCancelARead() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(one());
        assertThat(read.cancel(false)).isTrue();
        assertThat(read.isCancelled()).isTrue();
        assertThat(read.isDone()).isTrue();
        assertThatThrownBy(read::get).isExactlyInstanceOf(CancellationException.class);
        assertThat(read.cancel(true)).isFalse();
        assertThatThrownBy(() -> pair.client().read(one())).isExactlyInstanceOf(IllegalStateException.class);
        assertThat(get(pair.client().write(one()))).isEqualTo(1);
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldCancelAReadThatAThreadWaitsFor() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(one());
        var waiter = start("waiter", read::get);
        waiter.awaitBlockedIn("get");
        assertThat(read.cancel(true)).isTrue();
        assertThat(waiter.failure()).isExactlyInstanceOf(CancellationException.class);
        assertThat(pair.client().isOpen()).isFalse();
    }

    @Test
    void shouldCancelAReadForAThreadThatWaitsForIt() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(one());
        var waiter = start("waiter", read::get);
        waiter.awaitBlockedIn("get");
        assertThat(read.isDone()).isFalse();
        assertThatThrownBy(() -> read.get(1, TimeUnit.MILLISECONDS)).isExactlyInstanceOf(TimeoutException.class);
        assertThat(read.cancel(false)).isTrue();
        assertThat(waiter.failure()).isExactlyInstanceOf(CancellationException.class);
        assertThat(pair.client().isOpen()).isTrue();
        assertThat(get(pair.client().write(one()))).isEqualTo(1);
    }

    @Test
    void shouldCancelAWriteAndAnAccept() throws Exception {
        AsyncPair pair = connectAsync();
        assertThat(startPendingWrite(pair.client()).cancel(false)).isTrue();
        assertThatThrownBy(() -> pair.client().write(one())).isExactlyInstanceOf(IllegalStateException.class);
        AsynchronousServerSocketChannel server = listenAsync();
        assertThat(server.accept().cancel(false)).isTrue();
        assertThat(server.isOpen()).isTrue();
        assertThatThrownBy(server::accept).isExactlyInstanceOf(RuntimeException.class)
                .hasMessage("Accept not allowed due cancellation");
    }

    @Test
    void shouldCloseByACancellationThatMayInterrupt() throws Exception {
        AsyncPair pair = connectAsync();
        assertThat(pair.client().read(one()).cancel(true)).isTrue();
        assertThat(pair.client().isOpen()).isFalse();
        assertThat(get(pair.server().read(one()))).isEqualTo(-1);
    }
}
