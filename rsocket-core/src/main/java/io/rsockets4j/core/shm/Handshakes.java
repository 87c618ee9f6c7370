/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.Ownership;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The processes that have dialled our endpoint and have not said HELLO yet. Their number is bounded, so that a silent
 * process takes a few descriptors at most, and keeps others out for a moment only. Service thread.
 */
final class Handshakes implements Runnable {
    static final int MAX = 128;
    private static final Log LOG = Log.of(Handshakes.class);
    private static final long PATIENCE_NANOS = 100_000_000; // a process says HELLO milliseconds after it has dialled

    private final ShmContext context;
    private final Listeners listeners;
    private final Set<Handshake> open = new LinkedHashSet<>(); // the oldest first
    private boolean sweeping; // a sweep is scheduled

    Handshakes(ShmContext context, Listeners listeners) {
        this.context = context;
        this.listeners = listeners;
    }

    /** Whether one more may be accepted now; where there are too many, the oldest goes once it had time enough. */
    boolean hasRoom() {
        if (open.size() < MAX) {
            return true;
        }
        Handshake oldest = open.iterator().next();
        if (oldest.ageNanos() < PATIENCE_NANOS) {
            return false;
        }
        oldest.failed(new IOException("no HELLO while others wait"));
        return true;
    }

    /** Begins to wait for the first frame, for as long as a handshake may take. */
    void begin(SocketChannel channel) {
        Handshake handshake = new Handshake(channel);
        open.add(handshake);
        handshake.begin();
        if (!sweeping && !open.isEmpty()) {
            sweeping = true;
            context.service().schedule(this, context.handshakeNanos());
        }
    }

    /** Drops those whose time is over. */
    @Override
    public void run() {
        for (Iterator<Handshake> oldest = open.iterator(); oldest.hasNext(); oldest = open.iterator()) {
            Handshake handshake = oldest.next();
            long left = context.handshakeNanos() - handshake.ageNanos();
            if (left > 0) {
                context.service().schedule(this, left);
                return;
            }
            handshake.failed(new IOException("no HELLO in time"));
        }
        sweeping = false;
    }

    /** A process that has dialled and has not said yet what it wants. */
    private final class Handshake implements ServiceThread.Handler {
        private final FrameChannel frames;
        private final long begunNanos = System.nanoTime();

        Handshake(SocketChannel channel) {
            frames = new FrameChannel(channel);
        }

        /** Begins to wait for the first frame. */
        void begin() {
            SocketChannel channel = frames.channel();
            try {
                Ownership.requireOwnPeer(channel);
                channel.configureBlocking(false);
                context.service().register(channel, SelectionKey.OP_READ, this);
            } catch (IOException e) {
                failed(e);
            }
        }

        long ageNanos() {
            return System.nanoTime() - begunNanos;
        }

        @Override
        public void ready() throws IOException {
            ByteBuffer frame = frames.read();
            if (frame == null) {
                return;
            }
            int type = frame.get();
            if (type != Frame.HELLO) {
                throw new IOException("unexpected frame of type " + type);
            }
            hello(frame);
        }

        private void hello(ByteBuffer payload) throws IOException {
            AcceptorSession session;
            try {
                session = AcceptorSession.accept(context, listeners, frames, Frame.readHello(payload));
            } catch (IOException e) {
                frames.write(Frame.refused(Frame.whyRefused(e)));
                throw e;
            }
            open.remove(this);
            context.service().hand(frames.channel(), session);
            try {
                frames.write(Frame.welcome(new Frame.Welcome(Frame.VERSION, context.bells().name())));
                session.open();
            } catch (IOException e) {
                session.failed(e);
            } catch (RuntimeException | Error e) {
                session.failed(new IOException(e));
                throw e;
            }
        }

        @Override
        public void failed(IOException cause) {
            open.remove(this);
            LOG.log(System.Logger.Level.DEBUG, "a handshake failed: " + cause.getMessage());
            try {
                frames.channel().close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "a socket could not be closed", e);
            }
        }
    }
}
