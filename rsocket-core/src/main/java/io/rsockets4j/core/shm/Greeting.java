/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.Ownership;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A process that has dialled our endpoint and has not said yet what it wants. Doorbell thread. */
final class Greeting implements DoorbellThread.Handler {
    private static final Log LOG = Log.of(Greeting.class);

    private final ShmContext context;
    private final Endpoint endpoint;
    private final Greetings greetings;
    private final FrameChannel frames;
    private final long begunNanos = System.nanoTime();

    Greeting(ShmContext context, Endpoint endpoint, Greetings greetings, SocketChannel channel) {
        this.context = context;
        this.endpoint = endpoint;
        this.greetings = greetings;
        this.frames = new FrameChannel(channel);
    }

    /** Begins to wait for the first frame. */
    void begin() {
        SocketChannel channel = frames.channel();
        try {
            Ownership.requireOwnPeer(channel);
            channel.configureBlocking(false);
            context.doorbell().register(channel, SelectionKey.OP_READ, this);
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
            session = endpoint.greet(frames, Frame.readHello(payload));
        } catch (IOException e) {
            frames.write(Frame.refused(Refusal.sent(e)));
            throw e;
        }
        greetings.remove(this);
        context.doorbell().hand(frames.channel(), session);
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
        greetings.remove(this);
        LOG.log(System.Logger.Level.DEBUG, "a greeting failed: " + cause.getMessage());
        try {
            frames.channel().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a socket could not be closed", e);
        }
    }
}
