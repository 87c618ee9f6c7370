/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.RSocketAsynchronousChannelProvider;
import io.rsockets4j.spi.suite.kit.Handled;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a group terminates: not before what its operations leave to its threads has reached them. */
@Timeout(60)
class GroupEndTest {
    private final RSocketAsynchronousChannelProvider provider = new RSocketAsynchronousChannelProvider();

    /** The channel is closed between the end of its operation and the submission of the handler. */
    @Test
    void shouldNotTerminateBeforeAHandlerIsSubmitted() throws Exception {
        RAsynchronousChannelGroup fixed = (RAsynchronousChannelGroup) provider.openAsynchronousChannelGroup(1,
                Executors.defaultThreadFactory());
        RAsynchronousChannelGroup borrowing = (RAsynchronousChannelGroup) provider.openAsynchronousChannelGroup(
                Executors.newSingleThreadExecutor(), 0);
        for (RAsynchronousChannelGroup group : new RAsynchronousChannelGroup[] {fixed, borrowing}) {
            AsynchronousSocketChannel channel = provider.openAsynchronousSocketChannel(group);
            assertThat(group.hold()).isTrue();
            group.shutdown();
            channel.close();
            Handled<String> handler = new Handled<>();
            group.submit(handler, null, "result", null);
            assertThat(handler.result()).isEqualTo("result");
            assertThat(group.isTerminated()).isFalse();
            group.release();
            assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldTakeNothingOnceItHasTerminated() throws Exception {
        RAsynchronousChannelGroup group = (RAsynchronousChannelGroup) provider.openAsynchronousChannelGroup(1,
                Executors.defaultThreadFactory());
        AsynchronousSocketChannel channel = provider.openAsynchronousSocketChannel(group);
        group.shutdown();
        channel.close();
        assertThat(group.hold()).isFalse();
        assertThatThrownBy(() -> group.execute(() -> { })).isExactlyInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> channel.connect(null, null, new Handled<>()))
                .isExactlyInstanceOf(ShutdownChannelGroupException.class);
        assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** The program may shut its own executor down at any time; then no handler can be invoked any more. */
    @Test
    void shouldCloseAllThoughTheExecutorTakesNoHandler() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        RAsynchronousChannelGroup group =
                (RAsynchronousChannelGroup) provider.openAsynchronousChannelGroup(executor, 0);
        try (var first = provider.openAsynchronousServerSocketChannel(group).bind(null);
                var second = provider.openAsynchronousServerSocketChannel(group).bind(null);
                var third = provider.openAsynchronousServerSocketChannel(group).bind(null)) {
            first.accept(null, new Handled<>());
            second.accept(null, new Handled<>());
            third.accept(null, new Handled<>());
            executor.shutdown();
            assertThatThrownBy(first::close).isExactlyInstanceOf(ShutdownChannelGroupException.class);
            group.shutdownNow();
            assertThat(second.isOpen()).isFalse();
            assertThat(third.isOpen()).isFalse();
            assertThat(group.hold()).isFalse(); // every channel was taken out
        }
    }
}
