/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.bell.PeerBells;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** The connecting side of a session, played by hand: it does each step alone and can do it wrong. */
final class HandInitiator implements AutoCloseable {
    static final int RING_BYTES = 8192;
    private static final long LIMIT_MILLIS = 10_000;
    private static final int SLOT = 0;
    private static final int PORT = 40_000;

    final Rendezvous rendezvous;
    final SocketChannel control;
    final BellsFile bells;
    final Path sharedPath;
    final Path slotsPath;
    final MappedFile shared;
    final SlotFile slots;
    final Words memory;
    PeerBells peerBells; // once established
    private final Path endpoint;

    private HandInitiator(Path directory, Path endpoint) throws IOException {
        this.rendezvous = Rendezvous.open(directory.toString(), false);
        this.bells = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
        this.endpoint = endpoint;
        this.control = dial();
        this.sharedPath = rendezvous.newPath(".shared");
        this.slotsPath = rendezvous.newPath(".shared");
        this.shared = MappedFile.create(sharedPath, SessionDescriptor.FILE_BYTES, MemoryBudget.unlimited());
        this.slots = SlotFile.create(slotsPath, RING_BYTES, MemoryBudget.unlimited());
        this.memory = new Words(shared.slice(0, SessionDescriptor.FILE_BYTES));
    }

    /** Dials the only endpoint in a directory, and prepares good files; says nothing yet. */
    static HandInitiator dial(Path directory) throws IOException {
        return new HandInitiator(directory, Fabrics.endpoint(directory));
    }

    SocketChannel dial() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(endpoint));
    }

    /** What a good HELLO says. */
    Frame.ShmHello hello() {
        return hello(sharedPath.getFileName().toString(), slotsPath.getFileName().toString(), bells.name());
    }

    /** A HELLO that is good but for the names of files. */
    Frame.ShmHello hello(String sharedName, String slotsName, String bellsName) {
        return new Frame.ShmHello(Frame.VERSION, Frame.VERSION, 0, rendezvous.namespaceId(), RING_BYTES, sharedName,
                slotsName, bellsName);
    }

    void send(ByteBuffer frame) throws IOException {
        control.write(frame);
    }

    /** A whole handshake: says HELLO and hears WELCOME. */
    HandInitiator establish() throws IOException {
        return establish(hello());
    }

    /** The same with a HELLO that is good in a way of its own. */
    HandInitiator establish(Frame.ShmHello hello) throws IOException {
        send(Frame.hello(hello));
        ByteBuffer frame = read(control);
        require(frame.get() == Frame.WELCOME, "not welcome: " + frame);
        Frame.Welcome welcome = Frame.readWelcome(frame);
        require(welcome.version() == Frame.VERSION, "another version");
        peerBells = BellsFile.map(rendezvous.path(welcome.bellsName()));
        return this;
    }

    /** The listener entry for an address, as the acceptor has published it. */
    Rendezvous.Entry lookUp(InetSocketAddress address) throws IOException {
        return rendezvous.lookUp(address);
    }

    /** An entry for a connect to a listener, as it should be. */
    ConnectEntry entry(int slot, long generation, InetSocketAddress address) throws IOException {
        Rendezvous.Entry target = lookUp(address);
        return new ConnectEntry(slot, generation, target.listener(), target.generation(),
                new InetSocketAddress(address.getAddress(), PORT), address, 0, 0);
    }

    /** Appends a connect, good or bad, and rings. */
    void request(ConnectEntry entry) throws IOException {
        requestSilently(entry);
        ring();
    }

    /** Appends a connect and rings nobody, as where the thread that accepts is awake. */
    void requestSilently(ConnectEntry entry) {
        long tail = memory.getAcquire(SessionDescriptor.CONNECT_TAIL);
        entry.write(memory, SessionDescriptor.connect(tail));
        memory.putRelease(SessionDescriptor.CONNECT_TAIL, tail + 1); // pairs with AcceptorSession.serveConnects
    }

    void publishConnects(long tail) throws IOException {
        memory.putRelease(SessionDescriptor.CONNECT_TAIL, tail); // pairs with AcceptorSession.serveConnects
        ring();
    }

    /** Appends a connect, and rings only if the acceptor's service thread says that it sleeps. */
    void requestAndWake(ConnectEntry entry) throws IOException {
        requestSilently(entry);
        if (memory.getAndSetVolatile(SessionDescriptor.parked(SessionDescriptor.ACCEPTOR), 0) != 0) {
            ring();
        }
    }

    /**
     * Wakes the acceptor's service thread, whether it sleeps or not. If it is awake, it may have seen what is wrong
     * and hung up before the frame is written: then nobody is left to wake.
     */
    void ring() throws IOException {
        try {
            send(Frame.ring());
        } catch (IOException e) {
            if (!isClosedByPeer(control)) {
                throw e;
            }
        }
    }

    /** Sets the bit of a slot and rings, as if a connection had something to say. */
    void ringSlot(int slot) throws IOException {
        memory.getAndOrVolatile(SessionDescriptor.rung(SessionDescriptor.ACCEPTOR), 1L << slot);
        ring();
    }

    Words slotControl(int slot) {
        return slots.words(slot).control();
    }

    /** Opens a good connection in slot 0 and gives its words. */
    Words connect(InetSocketAddress address) throws IOException {
        slots.reset(SLOT);
        request(entry(SLOT, 1, address));
        return slotControl(SLOT);
    }

    /** Waits for a whole frame. */
    static ByteBuffer read(SocketChannel channel) throws IOException {
        ByteBuffer length = readFully(channel, ByteBuffer.allocate(4));
        return readFully(channel, ByteBuffer.allocate(length.getInt(0)));
    }

    /** Waits for the end of a stream; what comes before is dropped. */
    static boolean isClosedByPeer(SocketChannel channel) throws IOException {
        ByteBuffer rest = ByteBuffer.allocate(2048);
        try {
            for (;;) {
                readFully(channel, rest.clear().limit(1));
            }
        } catch (EOFException e) {
            return true;
        } catch (IOException e) {
            return e.getMessage().contains("reset"); // it closed without reading everything
        }
    }

    private static ByteBuffer readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        try (Selector selector = UnixSockets.openSelector()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            while (buffer.hasRemaining()) {
                require(selector.select(LIMIT_MILLIS) > 0, "nothing to read on " + channel);
                selector.selectedKeys().remove(key);
                if (channel.read(buffer) < 0) {
                    throw new EOFException();
                }
            }
        }
        channel.configureBlocking(true);
        return buffer.flip();
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }

    /** As when the process has ended. */
    @Override
    public void close() throws IOException {
        control.close();
        shared.leave();
        slots.leave();
        Files.deleteIfExists(sharedPath);
        Files.deleteIfExists(slotsPath);
        bells.remove();
    }
}
