/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.fabric.Timers;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.ExitPace;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The one daemon thread of the fabric, its service thread. It owns the control plane, that is endpoints, handshakes
 * and control sockets, and wakes those whom peers cannot wake themselves. It touches no byte of a stream. It waits in
 * its selector and, for a moment, for the kernel: where it dials a peer, looks up who has a port, or gives memory
 * back.
 */
final class ServiceThread implements Runnable {
    private static final Log LOG = Log.of(ServiceThread.class);

    private static final long MAX_EXIT_WAIT_NANOS = 100_000_000;
    private static final long POLL_NANOS = 100_000;

    /** Serves a channel of the service thread, on that thread. */
    interface Handler {
        /** The channel is ready. An exception makes the thread call {@link #failed}. */
        void ready() throws IOException;

        /** Something went wrong, or the peer has gone; closes what belongs to the channel. */
        void failed(IOException cause);
    }

    private final Outcome<Selector> opening = new Outcome<>();
    private volatile Selector selector; // null until this thread has opened it
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Timers timers = new Timers();
    private final ExitPace pace = new ExitPace();
    private volatile boolean atTask; // this thread

    /**
     * Starts the thread. It opens its selector itself, while others go on: for the first Unix-domain socket of a
     * process the JDK starts a security provider, which takes longer than a connect.
     */
    ServiceThread() {
        OwnThreads.daemon("rsockets4j-doorbell", this).start();
    }

    /**
     * Waits until this thread can serve. Any thread.
     *
     * @throws IOException if it cannot, or takes too long
     */
    void awaitOpen(long deadlineNanos) throws IOException {
        if (selector == null) {
            opening.await(deadlineNanos);
        }
    }

    /** Runs a task on this thread soon. Any thread. */
    void execute(Runnable task) {
        tasks.add(task);
        wakeup();
    }

    private void wakeup() {
        Selector opened = selector;
        if (opened != null) {
            opened.wakeup();
        }
    }

    /** Runs a task on this thread after a delay. Any thread. */
    void schedule(Runnable task, long delayNanos) {
        timers.add(delayNanos, task);
        wakeup();
    }

    /**
     * The JVM ends: this thread serves on, but does not sleep in the kernel any more, where a JVM that ends would wait
     * for it for 0.3 s. Waits a moment for what this thread is at: a session that is being begun gets its files to the
     * peer, or removes them. Any other thread.
     */
    void exit() {
        pace.exit(); // a volatile store, before the looks at atTask; pairs with runTasks
        wakeup();
        long end = System.nanoTime() + MAX_EXIT_WAIT_NANOS;
        while (atTask && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Ends this thread, to which nobody has given anything to do. Any other thread. */
    void end() {
        execute(() -> {
            try {
                selector.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "a selector could not be closed", e);
            }
        });
    }

    boolean isExiting() {
        return pace.isExiting();
    }

    /** Runs a task on this thread and gives its result. Any thread. */
    <T> Outcome<T> submit(Callable<T> task) {
        Outcome<T> result = new Outcome<>();
        execute(new Submitted<>(task, result));
        return result;
    }

    private record Submitted<T>(Callable<T> task, Outcome<T> result) implements Runnable {
        @Override
        public void run() {
            try {
                result.complete(task.call());
            } catch (Exception e) {
                result.fail(e);
            } catch (Error e) { // who waits hears of it, and so does the thread
                result.fail(new IOException(e));
                throw e;
            }
        }
    }

    /** Registers a non-blocking channel. This thread alone. */
    void register(SelectableChannel channel, int ops, Handler handler) throws IOException {
        channel.register(selector, ops, handler);
    }

    /** Gives a channel another handler. This thread alone. */
    void hand(SelectableChannel channel, Handler handler) {
        channel.keyFor(selector).attach(handler);
    }

    /** Stops looking at a channel for a while. This thread alone. */
    void pause(SelectableChannel channel, long nanos) {
        SelectionKey key = channel.keyFor(selector);
        int ops = key.interestOps();
        key.interestOps(0);
        schedule(() -> {
            if (key.isValid()) {
                key.interestOps(ops);
            }
        }, nanos);
    }

    /** Looks for other operations of a channel from now on; of one that is closed for none. This thread alone. */
    void expect(SelectableChannel channel, int ops) {
        SelectionKey key = channel.keyFor(selector);
        if (key != null && key.isValid()) {
            key.interestOps(ops);
        }
    }

    /** Lets go of a channel, so that its descriptor can be closed. This thread alone. */
    void release(SelectableChannel channel) throws IOException {
        SelectionKey key = channel.keyFor(selector);
        if (key != null) {
            key.cancel();
            selector.selectNow();
        }
    }

    @Override
    public void run() {
        try {
            selector = UnixSockets.openSelector();
        } catch (Throwable e) { // whoever waits for this thread goes by another path
            opening.fail(e instanceof Exception known ? known : new IOException(e));
            return;
        }
        opening.complete(selector);
        serve();
    }

    private void serve() {
        while (selector.isOpen()) {
            try {
                Thread.interrupted(); // whoever did that: the selector would not wait
                if (pace.pause()) {
                    selector.selectNow();
                } else {
                    selector.select(millisToNextTimer());
                }
                serveKeys();
                timers.run();
                runTasks();
            } catch (Throwable e) { // without this thread nobody would be woken
                OwnThreads.goOnAfter(LOG, "rsockets4j: the service thread goes on after an error", e);
            }
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            atTask = true; // volatile, before the task asks isExiting: either it sees that, or exit waits for it
            try {
                task.run();
            } finally {
                atTask = false;
            }
        }
    }

    private long millisToNextTimer() {
        return tasks.isEmpty() ? timers.millisToNext(0) : 1;
    }

    private void serveKeys() {
        for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext();) {
            SelectionKey key = keys.next();
            keys.remove();
            if (key.isValid()) {
                serve(key, (Handler) key.attachment());
            }
        }
    }

    private void serve(SelectionKey key, Handler handler) {
        try {
            handler.ready();
        } catch (IOException e) {
            key.cancel();
            handler.failed(e);
        } catch (Throwable e) { // costs that peer its session, not all others theirs
            OwnThreads.report(LOG, "rsockets4j: a handler of the service thread failed", e);
            key.cancel();
            handler.failed(new IOException(e));
        }
    }
}
