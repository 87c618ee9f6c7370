/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.Resources;
import io.rsockets4j.spi.suite.kit.Task;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That an operation tells the program once how it ends, whoever ends it: an attempt, a close, a timeout, a cancel. */
@Timeout(60)
class OperationTest {
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long LATER_NANOS = TimeUnit.MILLISECONDS.toNanos(500); // not before a few calls are made

    private final Resources resources = new Resources();
    private final Handled<Object> handler = new Handled<>();
    private final Handled<Object> nextHandler = new Handled<>();
    private RAsynchronousChannelGroup group;
    private Selector selector; // that nobody polls: the test does what the poller would
    private Pipe.SourceChannel source;
    private FakeOperation operation;
    private OperationFuture<Object> future;

    @BeforeEach
    void open() throws IOException {
        SelectorProvider jdk = JdkProvider.get();
        group = RAsynchronousChannelGroup.fixed(null, jdk, 1, Thread::new);
        resources.add(group::shutdownNow);
        selector = resources.add(jdk.openSelector());
        Pipe pipe = jdk.openPipe();
        resources.add(pipe.sink());
        source = resources.add(pipe.source());
        source.configureBlocking(false);
        Poller poller = new Poller(selector, new TaskQueue(), key -> { });
        operation = new FakeOperation(group, new Readiness(poller, source));
        future = new OperationFuture<>(operation, source);
    }

    @AfterEach
    void closeAndJoin() {
        resources.close();
    }

    private void begin() {
        operation.begin(handler, null, 0);
    }

    private void beginNext(long timeoutNanos) {
        operation.begin(nextHandler, null, timeoutNanos);
    }

    /** What the poller looks for. */
    private int expected() {
        SelectionKey key = source.keyFor(selector);
        return key == null ? 0 : key.interestOps();
    }

    private <T> T onGroupThread(Callable<T> body) throws Exception {
        FutureTask<T> task = new FutureTask<>(body);
        group.execute(task);
        return task.get(20, TimeUnit.SECONDS);
    }

    /** The group has one thread, which has invoked every handler by now that was submitted before. */
    private void letHandlersRun() throws Exception {
        onGroupThread(() -> null);
    }

    // ---- who invokes the handler

    @Test
    void shouldInvokeTheHandlerAfterTheCallThatBeginsIt() throws Exception {
        operation.outcome = () -> "done";
        boolean within = onGroupThread(() -> {
            begin();
            return handler.isDone();
        });
        assertThat(within).isFalse();
        letHandlersRun();
        assertThat(handler.result()).isEqualTo("told: done");
        assertThat(handler.attachment()).isEqualTo("attachment");
        assertThat(operation.attempts).hasValue(1);
    }

    @Test
    void shouldInvokeTheHandlerWithinTheCallOnlyWhereThatIsAllowedAndOnAThreadOfTheGroup() throws Exception {
        operation.mayInvoke = true;
        operation.outcome = () -> "done";
        Thread groupThread = onGroupThread(() -> {
            begin();
            assertThat(handler.isDone()).isTrue();
            return Thread.currentThread();
        });
        assertThat(handler.thread()).isSameAs(groupThread);
        beginNext(0);
        assertThat(nextHandler.thread()).as("not the test's").isSameAs(groupThread);
        letHandlersRun();
        assertThat(handler.result()).as("once each").isEqualTo("told: done");
        assertThat(nextHandler.result()).isEqualTo("told: done");
    }

    @Test
    void shouldTellAFutureThoughTheGroupTakesNoHandlersAnyMore() throws Exception {
        group.shutdown();
        operation.outcome = () -> "done";
        assertThatThrownBy(this::begin).isExactlyInstanceOf(ShutdownChannelGroupException.class);
        assertThat(operation.lock.isLocked()).isFalse();
        operation.begin(null, future, 0);
        assertThat(future.get()).isEqualTo("told: done");
        assertThat(handler.isDone()).isFalse();
    }

    @Test
    void shouldKeepTheGroupUntilTheHandlerIsSubmitted() throws Exception {
        IOException broken = new IOException("broken");
        operation.outcome = () -> {
            throw broken;
        };
        operation.whenFailed = group::shutdown; // it has no channel left
        begin();
        assertThat(handler.failure()).isSameAs(broken);
        assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    // ---- attempts

    @Test
    void shouldAttemptAgainWheneverThePollerFindsItUntilItIsDone() throws Exception {
        begin();
        assertThat(expected()).isEqualTo(SelectionKey.OP_READ);
        operation.run();
        assertThat(expected()).as("still nothing").isEqualTo(SelectionKey.OP_READ);
        assertThat(handler.isDone()).isFalse();
        operation.outcome = () -> "done";
        operation.run();
        assertThat(expected()).as("the next comes soon").isEqualTo(SelectionKey.OP_READ);
        operation.run();
        assertThat(expected()).as("the next has not come").isZero();
        letHandlersRun();
        assertThat(handler.result()).isEqualTo("told: done");
        assertThat(operation.attempts).hasValue(3);
    }

    @Test
    void shouldBeLookedForNoMoreWhereItIsNotRepeatedOrWaitsForAThread() {
        operation.repeated = false;
        begin();
        operation.suspend();
        assertThat(expected()).as("it waits for a thread").isZero();
        operation.run();
        assertThat(expected()).isEqualTo(SelectionKey.OP_READ);
        operation.outcome = () -> "done";
        operation.run();
        assertThat(expected()).as("it is done").isZero();
        assertThat(handler.result()).isEqualTo("told: done");
    }

    @Test
    void shouldRefuseAnotherWhileItIsPending() {
        begin();
        assertThatThrownBy(() -> beginNext(0)).hasMessage("pending");
        assertThat(operation.lock.isLocked()).isFalse();
        operation.outcome = () -> "done";
        operation.run();
        beginNext(0);
        assertThat(handler.result()).isEqualTo("told: done");
        assertThat(nextHandler.result()).isEqualTo("told: done");
    }

    @Test
    void shouldTellOfAFailureOnceItHasLetGoOfTheArguments() throws Exception {
        IOException broken = new IOException("broken");
        operation.mayInvoke = true;
        operation.outcome = () -> {
            throw broken;
        };
        operation.whenFailed = () -> {
            assertThat(operation.arguments).isNull();
            assertThat(handler.isDone()).as("the program has its buffers first").isFalse();
            assertThat(operation.lock.isLocked()).isFalse();
        };
        onGroupThread(() -> {
            begin();
            return null;
        });
        assertThat(handler.failure()).isSameAs(broken);
        assertThat(handler.attachment()).isEqualTo("attachment");
        assertThat(operation.failure).isSameAs(broken);
        assertThat(operation.isPending()).isFalse();
    }

    // ---- the end of the channel

    @Test
    void shouldNotAttemptOnAClosedChannel() throws Exception {
        operation.open = false;
        begin();
        assertThat(handler.failure()).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(operation.attempts).hasValue(0);
    }

    /** Which of them sees the close first must not matter to the program. */
    @Test
    void shouldTellOfACloseThatAnAttemptFindsAsCloseDoes() {
        operation.outcome = () -> {
            throw new ClosedChannelException();
        };
        begin();
        assertThat(handler.failure()).as("of some other channel").isExactlyInstanceOf(ClosedChannelException.class);
        operation.outcome = () -> {
            operation.open = false;
            throw new ClosedChannelException();
        };
        beginNext(0);
        assertThat(nextHandler.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldEndByACloseWhatIsPendingAndInvokeNoHandlerInThere() throws Exception {
        operation.closed();
        operation.mayInvoke = true;
        boolean within = onGroupThread(() -> {
            begin();
            operation.closed();
            return handler.isDone();
        });
        assertThat(within).as("the closer's locks are not the handler's business").isFalse();
        operation.closed();
        operation.run();
        letHandlersRun();
        assertThat(handler.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(operation.failure).isSameAs(handler.failure());
        assertThat(operation.attempts).as("none after the close").hasValue(1);
    }

    // ---- timeouts

    @Test
    void shouldTimeOutAndTakeNoOtherAfterwards() throws Exception {
        long begin = System.nanoTime();
        long timeout = TimeUnit.MILLISECONDS.toNanos(30);
        operation.begin(handler, null, timeout);
        assertThat(handler.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(timeout);
        assertThat(handler.attachment()).isEqualTo("attachment");
        assertThatThrownBy(() -> beginNext(0)).hasMessage("killed");
        operation.run();
        operation.closed();
        letHandlersRun();
        assertThat(handler.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
        assertThat(operation.attempts).as("none after the timeout").hasValue(1);
    }

    @Test
    void shouldNotTimeOutByTheTimeoutOfTheOneBefore() throws Exception {
        operation.begin(handler, null, LATER_NANOS);
        completePending();
        beginNext(0);
        Timeouts.schedule(() -> { }, LATER_NANOS).get(); // the look at the first deadline was before
        assertThat(nextHandler.isDone()).isFalse();
        completePending();
        assertThat(nextHandler.result()).isEqualTo("told: done");
    }

    @Test
    void shouldTimeOutByItsOwnTimeoutThoughTheOneBeforeHadAShorterOne() {
        operation.begin(handler, null, LATER_NANOS);
        completePending();
        long begin = System.nanoTime();
        long timeout = LATER_NANOS + LATER_NANOS / 4;
        beginNext(timeout);
        assertThat(nextHandler.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(timeout);
    }

    @Test
    void shouldTimeOutByItsOwnTimeoutThoughTheOneBeforeHadALongerOne() {
        operation.begin(handler, null, HOUR_NANOS);
        completePending();
        beginNext(1);
        assertThat(nextHandler.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
    }

    private void completePending() {
        operation.outcome = () -> "done";
        operation.run();
        operation.outcome = () -> null;
    }

    // ---- futures

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeCancelledOnceAndTakeNoOtherAfterwards(boolean mayInterrupt) {
        operation.begin(null, future, 0);
        assertThat(future.cancel(mayInterrupt)).isTrue();
        assertThat(future.isCancelled()).isTrue();
        assertThat(source.isOpen()).isEqualTo(!mayInterrupt);
        assertThat(operation.failure).isInstanceOf(CancellationException.class);
        assertThat(future.cancel(true)).as("again").isFalse();
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        operation.outcome = () -> "late";
        operation.run();
        assertThat(operation.attempts).as("none after the cancellation").hasValue(1);
        assertThatThrownBy(() -> beginNext(0)).hasMessage("killed");
    }

    @Test
    void shouldNotBeCancelledWhereAnAttemptCompletesItAtThatMoment() throws Exception {
        operation.begin(null, future, 0);
        CountDownLatch attempting = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        operation.outcome = () -> {
            attempting.countDown();
            awaitLatch(mayGoOn);
            return "done";
        };
        Task<Void> poller = resources.start("poller", false, () -> {
            operation.run();
            return null;
        });
        awaitLatch(attempting);
        Task<Boolean> canceller = resources.start("canceller", false, () -> future.cancel(true));
        canceller.awaitBlockedIn("cancel");
        mayGoOn.countDown();
        poller.join();
        assertThat(canceller.join()).isFalse();
        assertThat(future.get()).isEqualTo("told: done");
        assertThat(source.isOpen()).isTrue();
        operation.outcome = () -> "next";
        beginNext(0);
        assertThat(nextHandler.result()).as("nothing was killed").isEqualTo("told: next");
    }

    @Test
    void shouldBeAttemptedByWhoeverLooksAtTheFutureAlone() throws Exception {
        operation.canAwait = true;
        operation.begin(null, future, 0);
        assertThat(expected()).isZero();
        operation.run();
        assertThat(operation.attempts).as("the poller leaves it alone").hasValue(1);
        assertThat(future.isDone()).isFalse();
        assertThat(operation.attempts).hasValue(2);
        operation.outcome = () -> "done";
        assertThat(future.isDone()).isTrue();
        assertThat(future.get()).isEqualTo("told: done");
    }

    @Test
    void shouldBeAwaitedByTheFirstOfThoseWhoWaitForTheFuture() throws Exception {
        operation.canAwait = true;
        operation.begin(null, future, 0);
        Task<Object> first = resources.start("first", false, () -> future.get());
        first.awaitBlockedIn("await");
        Task<Object> second = resources.start("second", false, () -> future.get());
        second.awaitBlockedIn("get");
        assertThat(operation.awaits).hasValue(1);
        assertThat(expected()).isZero();
        operation.outcome = () -> "done";
        operation.arrival.countDown();
        assertThat(first.join()).isEqualTo("told: done");
        assertThat(second.join()).isEqualTo("told: done");
    }

    @Test
    void shouldBeLeftToThePollerOnceNobodyWaitsForTheFuture() throws Exception {
        operation.canAwait = true;
        operation.begin(null, future, 0);
        assertThatThrownBy(() -> future.get(20, TimeUnit.MILLISECONDS)).isExactlyInstanceOf(TimeoutException.class);
        assertThat(expected()).isEqualTo(SelectionKey.OP_READ);
        operation.outcome = () -> "done";
        operation.run();
        assertThat(future.get()).isEqualTo("told: done");
    }

    @Test
    void shouldLetGoOfWhoWaitsWhenItIsCancelled() throws Exception {
        operation.canAwait = true;
        operation.begin(null, future, 0);
        Task<Object> waiting = resources.start("waiting", false, () -> future.get());
        waiting.awaitBlockedIn("await");
        assertThat(future.cancel(false)).isTrue();
        assertThat(waiting.failure()).isInstanceOf(CancellationException.class);
        assertThat(operation.attempts).hasValue(1);
    }

    private static void awaitLatch(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** What an attempt comes to. */
    private interface Outcome {
        Object get() throws IOException;
    }

    /** An operation that does what the test says. */
    private static final class FakeOperation extends Operation {
        private final AtomicInteger attempts = new AtomicInteger();
        private final AtomicInteger awaits = new AtomicInteger();
        private final CountDownLatch arrival = new CountDownLatch(1);
        private volatile Outcome outcome = () -> null;
        private volatile Runnable whenFailed = () -> { };
        private volatile boolean open = true;
        private volatile boolean mayInvoke;
        private volatile boolean repeated = true;
        private volatile boolean canAwait;
        private volatile Object arguments;
        private volatile Throwable failure;

        FakeOperation(RAsynchronousChannelGroup group, Readiness readiness) {
            super(group, readiness, SelectionKey.OP_READ);
        }

        void begin(CompletionHandler<Object, Object> handler, CompletableFuture<Object> promise, long timeoutNanos) {
            lockForNext();
            arguments = "arguments";
            begin(handler, "attachment", promise, timeoutNanos);
        }

        @Override
        Object attempt() throws IOException {
            attempts.incrementAndGet();
            return outcome.get();
        }

        @Override
        Object completed(Object result) {
            return "told: " + result;
        }

        @Override
        void failed(Throwable cause) {
            whenFailed.run();
            failure = cause;
        }

        @Override
        void forgetArguments() {
            arguments = null;
        }

        @Override
        boolean canAwait() {
            return canAwait;
        }

        @Override
        void await(long untilNanos) {
            awaits.incrementAndGet();
            try {
                long nanos = untilNanos == Long.MAX_VALUE ? HOUR_NANOS : untilNanos - System.nanoTime();
                arrival.await(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // which ends the wait
            }
        }

        @Override
        void wakeAwaiting() {
            arrival.countDown();
        }

        @Override
        boolean mayInvokeInBegin() {
            return mayInvoke;
        }

        @Override
        boolean isRepeated() {
            return repeated;
        }

        @Override
        boolean isOpen() {
            return open;
        }

        @Override
        RuntimeException refusal(boolean killed) {
            return new IllegalStateException(killed ? "killed" : "pending");
        }
    }
}
