/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.fabric.Timers;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.ExitPace;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ConnectionManager;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The daemon thread of the connection manager: receives its events, destroys identifiers, and looks at deadlines. It
 * never touches a byte of a stream and waits nowhere but for events.
 */
final class CmThread implements Runnable {
    private static final Log LOG = Log.of(CmThread.class);
    private static final int FOREVER = -1;
    private static final long BROKEN_NANOS = 10_000_000; // between looks at closes and deadlines

    /** Serves the events of an identifier, on this thread. */
    interface Handler {
        /** Something happened. An exception is logged; the handler has cleaned up before. */
        void event(CmEvent event) throws IOException;

        /** No event will come any more: nobody must wait for one. */
        void noMoreEvents(IOException cause);
    }

    private final ConnectionManager manager;
    private final Thread thread;
    private final Map<CmId, Handler> handlers = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Timers timers = new Timers();
    private final ExitPace pace = new ExitPace();
    private volatile IOException broken; // why no event can be received; written by this thread

    CmThread(ConnectionManager manager) {
        this.manager = manager;
        thread = OwnThreads.daemon("rsockets4j-rdma-cm", this);
        thread.start();
    }

    /** Creates an identifier whose events go to a handler. Any thread. */
    CmId create(Handler handler) throws IOException {
        CmId id = manager.createId();
        handlers.put(id, handler); // before the look: whoever breaks tells all handlers then
        IOException cause = broken;
        if (cause != null) {
            destroy(id);
            throw new IOException("no event of the RDMA connection manager can be received: " + cause.getMessage(),
                    cause);
        }
        return id;
    }

    /** Sends the events of an identifier to another handler, or those of a new one to its first. Any thread. */
    void handle(CmId id, Handler handler) {
        handlers.put(id, handler);
    }

    /**
     * Destroys an identifier that has no connection. Any thread.
     *
     * @return completed when its address may be bound again
     */
    Outcome<Void> destroy(CmId id) {
        Outcome<Void> destroyed = new Outcome<>();
        execute(() -> {
            try {
                forget(id);
                id.destroy();
                destroyed.complete(null);
            } finally {
                destroyed.fail(new IOException("an identifier could not be destroyed"));
            }
        });
        return destroyed;
    }

    /** No event of this identifier is served any more. */
    void forget(CmId id) {
        handlers.remove(id);
    }

    /** Runs a task on this thread soon. Any thread. */
    void execute(Runnable task) {
        tasks.add(task); // also on this very thread, which may be in the middle of serving completions
        if (Thread.currentThread() != thread) {
            manager.wakeup();
        }
    }

    /** Runs a task on this thread after a delay. Any thread. */
    void schedule(long delayNanos, Runnable task) {
        timers.add(delayNanos, task);
        if (Thread.currentThread() != thread) {
            manager.wakeup();
        }
    }

    /** The JVM ends: this thread serves on, but does not sleep in native code any more. Any thread. */
    void exit() {
        pace.exit();
        manager.wakeup();
    }

    @Override
    public void run() {
        try {
            while (true) {
                turn();
            }
        } finally { // which should not be: but nobody must wait for this thread then
            breakDown(new IOException("the RDMA connection manager's thread has ended"));
        }
    }

    private void turn() {
        try {
            Thread.interrupted(); // whoever did that: with an interrupt pending no wait would wait
            CmEvent event = await();
            if (event != null) {
                serve(event);
            }
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            timers.run();
        } catch (Throwable e) { // without this thread nothing would ever end
            OwnThreads.goOnAfter(LOG, "rsockets4j: the RDMA connection manager's thread goes on after an error", e);
        }
    }

    /** The next event, or null. Where none can be had any more, closes and deadlines are served all the same. */
    private CmEvent await() {
        try {
            return manager.await(pace.pause() ? 0 : millisToNextTimer());
        } catch (IOException e) {
            if (broken == null) {
                breakDown(e);
                LOG.log(System.Logger.Level.ERROR, "rsockets4j: the RDMA connection manager tells no more: no RDMA"
                        + " connection can be made until this program is started again", e);
            }
            LockSupport.parkNanos(BROKEN_NANOS);
            return null;
        }
    }

    /** Connections fail, since nobody would hear of their end; attempts fail, and listeners are withdrawn. */
    private void breakDown(IOException cause) {
        broken = cause;
        handlers.values().forEach(handler -> {
            try {
                handler.noMoreEvents(cause);
            } catch (Throwable e) { // the others are told all the same
                OwnThreads.report(LOG, "rsockets4j: an RDMA connection could not be ended", e);
            }
        });
    }

    private void serve(CmEvent event) throws IOException {
        CmId addressee = event.type() == CmEvent.Type.CONNECT_REQUEST ? event.listener() : event.id();
        Handler handler = handlers.get(addressee);
        if (handler != null) {
            handler.event(event);
        } else if (event.type() == CmEvent.Type.CONNECT_REQUEST) {
            event.id().destroy(); // its listener has just gone
        }
    }

    private int millisToNextTimer() {
        return tasks.isEmpty() ? timers.millisToNext(FOREVER) : 0;
    }
}
