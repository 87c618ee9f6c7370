/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the looks at timeouts come in time, unless they are cancelled, and whatever one of them throws. */
@Timeout(30)
class TimeoutsTest {
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void shouldLookNoSoonerThanItIsDue() throws Exception {
        long begin = System.nanoTime();
        CompletableFuture<Long> looked = new CompletableFuture<>();
        Timeouts.schedule(() -> looked.complete(System.nanoTime()), SOON_NANOS);
        assertThat(looked.get() - begin).isGreaterThanOrEqualTo(SOON_NANOS);
    }

    @Test
    void shouldNotLookOnceCancelled() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        Timeouts.schedule(() -> awaitLatch(cancelled), 1); // keeps the one thread until then
        AtomicBoolean looked = new AtomicBoolean();
        ScheduledFuture<?> look = Timeouts.schedule(() -> looked.set(true), 1);
        assertThat(look.cancel(false)).isTrue();
        ScheduledFuture<?> after = Timeouts.schedule(() -> { }, 1);
        cancelled.countDown();
        after.get();
        assertThat(looked).isFalse();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Else what is cancelled would pile up until its time has come. */
    @Test
    void shouldForgetWhatIsCancelled() {
        WeakReference<Object> look = scheduleAndCancel();
        while (look.get() != null) {
            System.gc();
        }
        assertThat(look.get()).isNull();
    }

    private static WeakReference<Object> scheduleAndCancel() {
        ScheduledFuture<?> look = Timeouts.schedule(() -> { }, HOUR_NANOS);
        assertThat(look.cancel(false)).isTrue();
        return new WeakReference<>(look);
    }

    @Test
    void shouldGoOnAfterALookThatThrows() throws Exception {
        ScheduledFuture<?> broken = Timeouts.schedule(() -> {
            throw new IllegalStateException("broken");
        }, 1);
        assertThatThrownBy(broken::get).isInstanceOf(ExecutionException.class).cause().hasMessage("broken");
        CompletableFuture<Boolean> looked = new CompletableFuture<>();
        Timeouts.schedule(() -> looked.complete(true), 1);
        assertThat(looked.get()).isTrue();
    }
}
