/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmEvent.Type;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.CompletionStatus;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.memory.MemoryBinding;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** A peer made by hand, from the verbs up, which says whatever a test wants it to. */
final class HandPeer implements AutoCloseable {
    static final int RING_BYTES = 8192;
    static final int RECEIVES = 128;

    private static final int STEP_MILLIS = 20_000;
    private static final int QUEUE = 1024;
    private static final int SLOT = MessageDescriptor.MESSAGE_BYTES;
    private static final long SENT = 1L << 32;

    private final ConnectionManager manager;
    private final CmId listener;
    private CmId id;
    private ProtectionDomain domain;
    private CompletionQueue completions;
    private QueuePair queuePair;
    private ByteBuffer memory;
    private MemoryRegion messages;
    private MemoryRegion ring;
    private ByteBuffer ringMemory;
    private int taken;
    private int polled;
    private int sent;
    private Hello peer;

    private HandPeer(MemoryHost host, InetSocketAddress listenAt) throws IOException {
        manager = new MemoryBinding(host).openConnectionManager();
        listener = listenAt == null ? null : manager.createId();
        if (listener != null) {
            listener.bind(listenAt, true);
            listener.listen(8);
        }
    }

    /** Connects to a fabric's listener. */
    static HandPeer connect(RdmaNetwork network, InetSocketAddress to) throws IOException {
        return connect(network.near, to);
    }

    /** Connects from any host. */
    static HandPeer connect(MemoryHost from, InetSocketAddress to) throws IOException {
        HandPeer peer = ask(from, to);
        peer.expect(Type.ESTABLISHED);
        return peer;
    }

    /** Asks for a connection that is refused. */
    static void connectInVain(MemoryHost from, InetSocketAddress to) throws IOException {
        try (HandPeer peer = ask(from, to)) {
            peer.expect(Type.REJECTED);
        }
    }

    private static HandPeer ask(MemoryHost from, InetSocketAddress to) throws IOException {
        HandPeer peer = new HandPeer(from, null);
        peer.id = peer.manager.createId();
        peer.id.resolveAddress(null, to, STEP_MILLIS);
        peer.expect(Type.ADDR_RESOLVED);
        peer.id.resolveRoute(STEP_MILLIS);
        peer.expect(Type.ROUTE_RESOLVED);
        peer.createQueuePair();
        peer.id.connect();
        return peer;
    }

    /** Listens for a fabric's connect. */
    static HandPeer listen(RdmaNetwork network, InetSocketAddress at) throws IOException {
        return new HandPeer(network.far, at);
    }

    /** Accepts that connect. */
    HandPeer accept() throws IOException {
        id = expect(Type.CONNECT_REQUEST).id();
        createQueuePair();
        id.accept();
        expect(Type.ESTABLISHED);
        return this;
    }

    private CmEvent expect(Type type) throws IOException {
        CmEvent event = manager.await(STEP_MILLIS);
        assertThat(event).as("event %s", type).isNotNull();
        assertThat(event.type()).as("%s", event).isEqualTo(type);
        return event;
    }

    /** Waits until the fabric has hung up. */
    void awaitDisconnect() throws IOException {
        expect(Type.DISCONNECTED);
    }

    private void createQueuePair() throws IOException {
        domain = id.device().allocateProtectionDomain();
        completions = id.device().createCompletionQueue(id.device().createCompletionChannel(), 4 * QUEUE);
        queuePair = id.createQueuePair(domain, new QueuePairOptions(completions, QUEUE, QUEUE, 0));
        memory = domain.allocate(2 * QUEUE * SLOT);
        messages = domain.register(memory, false);
        ringMemory = domain.allocate(RING_BYTES);
        ring = domain.register(ringMemory, true);
        for (int i = 0; i < RECEIVES; i++) {
            queuePair.postReceive(i, messages.address() + (long) i * SLOT, SLOT, messages.localKey());
        }
    }

    /** A HELLO with nothing wrong in it. */
    Hello hello(long connection, InetSocketAddress acceptor) {
        return new Hello(connection, true, true, true, false, ring(), RECEIVES, 0, address(777), acceptor);
    }

    RemoteRing ring() {
        return new RemoteRing(ring.address(), RING_BYTES, ring.remoteKey());
    }

    InetSocketAddress address(int port) {
        return new InetSocketAddress(id.localAddress().getAddress(), port);
    }

    static ByteBuffer encode(Connect connect) {
        ByteBuffer message = ByteBuffer.allocate(SLOT);
        return message.limit(connect.encode(message));
    }

    /** Answers a connect. */
    ByteBuffer accept(int number, int refusal) {
        ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.ACCEPT_BYTES);
        message.put(MessageDescriptor.TYPE, MessageDescriptor.ACCEPT);
        message.put(MessageDescriptor.ACCEPT_REFUSAL, (byte) refusal);
        message.putInt(MessageDescriptor.NUMBER, number);
        ring().encode(message, MessageDescriptor.ACCEPT_RING_ADDRESS);
        return message;
    }

    static ByteBuffer encode(Hello hello) {
        ByteBuffer message = ByteBuffer.allocate(SLOT);
        return message.limit(hello.encode(message));
    }

    static ByteBuffer state(int flags, long bytesRead, long receives, long bytesSent) {
        return state(0, flags, bytesRead, receives, bytesSent);
    }

    static ByteBuffer state(int number, int flags, long bytesRead, long receives, long bytesSent) {
        ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.STATE_BYTES);
        message.put(MessageDescriptor.TYPE, MessageDescriptor.STATE);
        message.put(MessageDescriptor.STATE_FLAGS, (byte) flags);
        message.putInt(MessageDescriptor.NUMBER, number);
        message.putLong(MessageDescriptor.STATE_BYTES_READ, bytesRead);
        message.putLong(MessageDescriptor.STATE_RECEIVES, receives);
        message.putLong(MessageDescriptor.STATE_BYTES_SENT, bytesSent);
        return message;
    }

    /** Asks for a larger ring of connection 0. */
    static ByteBuffer more(int maxBytes) {
        return ByteBuffer.allocate(MessageDescriptor.MORE_BYTES).put(0, MessageDescriptor.MORE)
                .putInt(MessageDescriptor.MORE_MAX_BYTES, maxBytes);
    }

    /** Offers connection 0 a larger ring. */
    static ByteBuffer offer(RemoteRing ring) {
        ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.RING_BYTES).put(0, MessageDescriptor.RING);
        ring.encode(message, MessageDescriptor.RING_ADDRESS);
        return message;
    }

    /** Moves connection 0 to a larger ring. */
    static ByteBuffer move(long from) {
        return ByteBuffer.allocate(MessageDescriptor.MOVE_BYTES).put(0, MessageDescriptor.MOVE)
                .putLong(MessageDescriptor.MOVE_FROM, from);
    }

    /** Sends a message, whatever it is. */
    void send(ByteBuffer message) throws IOException {
        int at = (QUEUE + sent++ % QUEUE) * SLOT;
        memory.put(at, message, 0, message.limit());
        queuePair.postSend(SENT, messages.address() + at, message.limit(), messages.localKey(), QueuePair.SIGNALED);
    }

    /** Says HELLO and reads the answer. */
    Hello greet(InetSocketAddress acceptor) throws IOException {
        send(encode(hello(4711, acceptor)));
        return awaitHello();
    }

    /** The fabric's HELLO. */
    Hello awaitHello() throws IOException {
        ByteBuffer message = awaitMessage();
        peer = Hello.decode(message, message.limit());
        return peer;
    }

    /** The fabric's next message. */
    ByteBuffer awaitMessage() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS);
        while (System.nanoTime() - deadline < 0) {
            if (taken == polled) {
                polled = completions.poll();
                taken = 0;
            }
            if (taken < polled) {
                int i = taken++;
                if (completions.workRequestId(i) < SENT && completions.status(i) == CompletionStatus.SUCCESS) {
                    int slot = (int) completions.workRequestId(i);
                    return memory.slice(slot * SLOT, SLOT).limit(completions.byteLength(i));
                }
            }
        }
        throw new AssertionError("no message came");
    }

    /** The byte at a place in this side's ring, once the fabric has written it. */
    byte awaitByte(int offset) throws IOException {
        awaitMessage();
        return ringMemory.get(offset);
    }

    /** Writes to the fabric's ring, what came to the first receive. */
    void write(int offset, int length, int immediate) throws IOException {
        write(peer.ring(), offset, length, immediate);
    }

    /** Writes to the ring that the fabric has told somebody of. */
    void write(RemoteRing peer, int offset, int length, int immediate) throws IOException {
        queuePair.postWriteWithImmediate(SENT, messages.address(), length, messages.localKey(),
                peer.address() + offset, peer.key(), QueuePair.SIGNALED, immediate);
    }

    @Override
    public void close() {
        if (id != null) {
            id.destroy();
        }
        if (listener != null) {
            listener.destroy();
        }
        manager.close();
    }
}
