/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a channel can have pending once: its read, write, connect or accept. The same object serves all operations of
 * that kind, one after the other; as a task it goes on with the one that is pending.
 *
 * <p>An operation is attempted by the thread that begins it. If it cannot complete at once it is pending. Then the
 * group's poller looks for it, and one of the group's threads attempts it again. Where a thread can wait for it on its
 * own ({@link #canAwait}) and the program has a future, the thread that looks at the future waits and attempts it
 * instead. Whoever completes it takes it out under the lock, and tells the program without the lock.
 */
abstract class Operation extends Task {
    /** The group of the channel. */
    final RAsynchronousChannelGroup group;
    /** Guards the arguments of the pending operation in subclasses too. Nothing waits under it. */
    final ReentrantLock lock = new ReentrantLock();

    private final Readiness readiness;
    private final int interest; // the bit of a selection key that says that an attempt may succeed
    private boolean pending; // this and all below: guarded by lock
    private boolean killed; // by a timeout or a cancellation: nobody knows what became of the bytes
    private boolean expected; // the poller looks for it; reads stay so from one to the next
    private boolean awaited; // nobody but who looks at the future looks for it
    private boolean helped; // a thread is in await, or on its way
    private CompletionHandler<Object, Object> handler;
    private Object attachment;
    private CompletableFuture<?> future;
    private long deadlineNanos;
    private boolean timed;
    private ScheduledFuture<?> timeoutCheck;

    Operation(RAsynchronousChannelGroup group, Readiness readiness, int interest) {
        this.group = group;
        this.readiness = readiness;
        this.interest = interest;
    }

    /**
     * Tries to do the operation without waiting. The caller holds the lock.
     *
     * @return its result; null when it is not possible yet
     */
    abstract Object attempt() throws IOException;

    /** Drops the arguments. The caller holds the lock. */
    abstract void forgetArguments();

    /** How a program may have got into the way of the attempt; called without the lock when it failed. */
    void failed(Throwable cause) {
        // most failures concern the operation alone
    }

    /** The result as the program sees it; called without the lock. */
    Object completed(Object result) {
        return result;
    }

    /** Whether a thread can wait for this on its own, in {@link #await}. */
    boolean canAwait() {
        return false;
    }

    /** Waits until an attempt may succeed, time is over or the thread is interrupted; may return early. */
    void await(long untilNanos) {
        throw new UnsupportedOperationException();
    }

    /** The operation that a thread awaits is cancelled: makes {@link #await} return. Called without the lock. */
    void wakeAwaiting() {
        throw new UnsupportedOperationException();
    }

    /** Whether the operation's channel is open. */
    abstract boolean isOpen();

    /**
     * Why no operation may begin, in the JDK's words.
     *
     * @param killed whether a timeout or a cancellation has left the channel in a state that nobody knows; otherwise
     *     another operation is pending
     */
    abstract RuntimeException refusal(boolean killed);

    final boolean isPending() {
        return pending;
    }

    /** Takes the lock for an operation, whose arguments are to be set before {@link #begin}; throws if none may. */
    final void lockForNext() {
        lock.lock();
        if (isOpen() && (killed || pending)) {
            RuntimeException refused = refusal(killed);
            lock.unlock();
            throw refused;
        }
    }

    /**
     * Begins the operation whose arguments are set. The caller holds the lock once, which is given back here.
     *
     * @param whom to invoke, or null with a future
     * @param timeoutNanos not positive for none
     */
    @SuppressWarnings("unchecked") // V is what attempt and completed make
    final <V, A> void begin(CompletionHandler<V, ? super A> whom, A with, CompletableFuture<V> promise,
            long timeoutNanos) {
        handler = (CompletionHandler<Object, Object>) (CompletionHandler<?, ?>) whom;
        attachment = with;
        future = promise;
        timed = timeoutNanos > 0;
        deadlineNanos = timed ? System.nanoTime() + timeoutNanos : 0;
        pending = true;
        if (!isOpen()) {
            complete(null, new ClosedChannelException(), true);
        } else if (!tryToComplete(mayInvokeInBegin())) {
            try {
                await();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The operation stays pending: somebody has to look for it. */
    private void await() {
        if (future != null && canAwait()) {
            awaited = true;
        } else if (isForThePoller()) {
            expect();
        }
        if (timed) {
            watchTimeout();
        }
    }

    final void expect() {
        if (!expected) {
            expected = true;
            readiness.expect(interest);
        }
    }

    private void forget() {
        if (expected) {
            expected = false;
            readiness.forget(interest);
        }
    }

    /** The poller has found that an attempt may succeed. A thread of the group. */
    @Override
    public void run() {
        lock.lock();
        if (!pending || awaited) {
            forget();
            lock.unlock();
        } else if (!tryToComplete(true)) {
            expect();
            lock.unlock();
        }
    }

    /** The operation waits for a thread to run it: the poller would find it again and again. */
    @Override
    final void suspend() {
        lock.lock();
        try {
            forget();
        } finally {
            lock.unlock();
        }
    }

    /** Attempts; when that completes the operation the lock has been given back. */
    private boolean tryToComplete(boolean mayInvoke) {
        Object result = null;
        Throwable failure = null;
        try {
            result = attempt();
        } catch (Throwable e) {
            failure = asEnded(e);
        }
        if (result == null && failure == null) {
            return false;
        }
        complete(result, failure, mayInvoke);
        return true;
    }

    /** What a failed attempt is to the program, which may have closed the channel meanwhile. */
    final Throwable asEnded(Throwable failure) {
        return isOpen() || !(failure instanceof ClosedChannelException) ? failure : new AsynchronousCloseException();
    }

    /**
     * Ends the pending operation. The caller holds the lock, which is given back here.
     *
     * @param mayInvoke whether the handler may be invoked in here, on a thread of the group. Otherwise it is submitted:
     *     the caller's locks and what it has left to do are not the handler's business
     */
    final void complete(Object result, Throwable failure, boolean mayInvoke) {
        CompletionHandler<Object, Object> whom = handler;
        Object with = attachment;
        CompletableFuture<?> promise = future;
        pending = false;
        awaited = false;
        helped = false;
        timed = false;
        handler = null;
        attachment = null;
        future = null;
        forgetArguments();
        if (!isRepeated()) {
            forget();
        }
        GroupThread here = mayInvoke && promise == null ? GroupThread.forHandlersOf(group) : null;
        boolean submitted = promise == null && here == null;
        boolean held = submitted && group.hold(); // under the lock: whoever closes the channel comes after this
        lock.unlock();
        try {
            Object value = toldOfEnd(result, failure);
            if (promise != null) {
                end(promise, value, failure);
            } else if (here != null) {
                here.invoke(whom, with, value, failure);
            } else if (held) {
                group.submit(whom, with, value, failure);
            } else {
                throw new ShutdownChannelGroupException();
            }
        } finally {
            if (held) {
                group.release();
            }
        }
    }

    private Object toldOfEnd(Object result, Throwable failure) {
        if (failure == null) {
            return completed(result);
        }
        failed(failure);
        return null;
    }

    @SuppressWarnings("unchecked") // the operation makes what it promised
    private static <V> void end(CompletableFuture<V> promise, Object value, Throwable failure) {
        if (failure == null) {
            promise.complete((V) value);
        } else {
            promise.completeExceptionally(failure); // also a cancellation, of which it is the sign
        }
    }

    /** Whether the poller can look for it once the first attempt has not completed it. */
    boolean isForThePoller() {
        return true;
    }

    /**
     * Whether a handler may be invoked within the call that begins its operation, on a thread of the group. If not, it
     * is invoked after that call, as the JDK does it for what is rare.
     */
    boolean mayInvokeInBegin() {
        return false;
    }

    /** Whether the next operation of this kind most likely comes soon, so that the poller may keep looking. */
    boolean isRepeated() {
        return true;
    }

    /** The channel has been closed: ends what is pending. No handler is invoked in here. */
    final void closed() {
        lock.lock();
        if (timeoutCheck != null) {
            timeoutCheck.cancel(false);
            timeoutCheck = null;
        }
        if (pending) {
            complete(null, new AsynchronousCloseException(), false);
        } else {
            lock.unlock();
        }
    }

    // ---- timeouts: at most one look is scheduled, at the first deadline that was set, and then at the present one

    private void watchTimeout() {
        if (timeoutCheck == null || timeoutCheck.getDelay(TimeUnit.NANOSECONDS) > deadlineNanos - System.nanoTime()) {
            if (timeoutCheck != null) {
                timeoutCheck.cancel(false);
            }
            timeoutCheck = Timeouts.schedule(this::lookAtTimeout, deadlineNanos - System.nanoTime());
        }
    }

    private void lookAtTimeout() {
        lock.lock();
        timeoutCheck = null;
        if (pending && timed && deadlineNanos - System.nanoTime() <= 0) {
            killed = true;
            complete(null, new InterruptedByTimeoutException(), false);
            return;
        }
        try {
            if (pending && timed) {
                watchTimeout();
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- futures

    /** A future is cancelled: false when its operation has completed. */
    final boolean cancel(CompletableFuture<?> promise) {
        lock.lock();
        if (future != promise) {
            lock.unlock();
            return false;
        }
        killed = true;
        boolean waiting = helped;
        complete(null, new CancellationException(), false);
        if (waiting) {
            wakeAwaiting();
        }
        return true;
    }

    /** Somebody looks at a future: attempts its operation if nobody else does. */
    final void attempt(CompletableFuture<?> promise) {
        lock.lock();
        if (future != promise || !awaited || helped || !tryToComplete(false)) {
            lock.unlock();
        }
    }

    /**
     * Somebody waits for a future: waits for its operation, if nobody else does, as long as the program would. If it is
     * still pending then, the poller looks for it from now on.
     */
    final void help(CompletableFuture<?> promise, long untilNanos) {
        if (!take(promise)) {
            return;
        }
        boolean mine = true;
        while (mine && !Thread.currentThread().isInterrupted()
                && (untilNanos == Long.MAX_VALUE || untilNanos - System.nanoTime() > 0)) {
            await(untilNanos);
            mine = attemptFor(promise);
        }
        if (mine) {
            giveBack(promise);
        }
    }

    private boolean take(CompletableFuture<?> promise) {
        lock.lock();
        try {
            boolean mine = future == promise && awaited && !helped;
            helped |= mine;
            return mine;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the operation is still pending. */
    private boolean attemptFor(CompletableFuture<?> promise) {
        lock.lock();
        if (future != promise) {
            lock.unlock();
            return false;
        }
        if (tryToComplete(false)) {
            return false;
        }
        lock.unlock();
        return true;
    }

    private void giveBack(CompletableFuture<?> promise) {
        lock.lock();
        try {
            if (future == promise) {
                awaited = false;
                helped = false;
                expect();
            }
        } finally {
            lock.unlock();
        }
    }
}
