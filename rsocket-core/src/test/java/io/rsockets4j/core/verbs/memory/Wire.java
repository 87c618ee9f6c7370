/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** The thread that carries everything: what is ready in turn, what is delayed when its time has come. */
final class Wire implements Runnable {
    private static final int IDLE_SPINS = 20;

    private final MemoryNetwork network;
    private final Thread thread;
    private final Queue<MemoryQueuePair> ready = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<MemoryQueuePair> delayed = // this thread's alone
            new PriorityQueue<>(Comparator.comparingLong(MemoryQueuePair::dueNanos));
    private volatile boolean parked;
    private volatile boolean closed;
    private volatile boolean paused;

    Wire(MemoryNetwork network) {
        this.network = network;
        thread = new Thread(this, "memory-network");
        thread.setDaemon(true);
        thread.start();
    }

    /** A queue pair has something to do. */
    void add(MemoryQueuePair queuePair) {
        ready.add(queuePair);
        if (parked) { // volatile: either this sees it, or the thread sees the queue pair before it parks
            LockSupport.unpark(thread);
        }
    }

    void pause(boolean newPaused) {
        paused = newPaused;
        LockSupport.unpark(thread);
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        int idle = 0;
        while (!closed) {
            if (!paused && carry()) {
                idle = 0;
            } else if (++idle < IDLE_SPINS) {
                Thread.yield();
            } else {
                park();
            }
        }
    }

    private boolean carry() {
        boolean some = false;
        while (!ready.isEmpty() && !paused) {
            MemoryQueuePair next = ready.poll();
            next.unschedule();
            carry(next);
            some = true;
        }
        long now = delayed.isEmpty() ? 0 : System.nanoTime();
        while (!delayed.isEmpty() && delayed.peek().dueNanos() - now <= 0 && !paused) {
            MemoryQueuePair next = delayed.poll();
            next.dueNanos(0);
            carry(next);
            some = true;
        }
        return some;
    }

    private void carry(MemoryQueuePair queuePair) {
        network.lock().lock();
        long due;
        try {
            due = queuePair.advance();
        } finally {
            network.lock().unlock();
        }
        if (due != 0 && queuePair.dueNanos() == 0) {
            queuePair.dueNanos(due);
            delayed.add(queuePair);
        }
    }

    private void park() {
        parked = true;
        if (paused) {
            LockSupport.park(this);
        } else if (ready.isEmpty()) {
            if (delayed.isEmpty()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, delayed.peek().dueNanos() - System.nanoTime());
            }
        }
        parked = false;
    }
}
