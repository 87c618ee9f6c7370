/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The listening side of a session, played by hand: it does each step alone and can do it wrong. */
final class HandAcceptor implements AutoCloseable {
    static final int LISTENER = 7;
    private static final long GENERATION = 99;

    final InetSocketAddress address = Fabrics.newAddress();
    final Rendezvous rendezvous;
    final Path endpoint;
    final Path entry;
    final ServerSocketChannel server;
    final BellsFile bells;
    SocketChannel control;
    Frame.ShmHello hello;
    MappedFile shared;
    SlotFile slots;
    Words memory;

    private HandAcceptor(Path directory, int backlog) throws IOException {
        rendezvous = Rendezvous.open(directory.toString(), false);
        bells = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
        endpoint = rendezvous.newPath(".endpoint");
        server = UnixSockets.openServer();
        server.bind(UnixDomainSocketAddress.of(endpoint), backlog);
        entry = rendezvous.publish(address, false,
                new Rendezvous.Entry(endpoint.getFileName().toString(), LISTENER, GENERATION, 0), true);
    }

    /** Opens an endpoint and publishes a listener; answers nobody yet. */
    static HandAcceptor listen(Path directory) throws IOException {
        return new HandAcceptor(directory, 64);
    }

    static HandAcceptor listen(Path directory, int backlog) throws IOException {
        return new HandAcceptor(directory, backlog);
    }

    /** Accepts the control socket and hears HELLO. */
    HandAcceptor hearHello() throws IOException {
        control = server.accept();
        ByteBuffer frame = HandInitiator.read(control);
        if (frame.get() != Frame.HELLO) {
            throw new AssertionError("no HELLO");
        }
        hello = Frame.readHello(frame);
        return this;
    }

    /** Maps what HELLO names, and announces the listener. */
    HandAcceptor map() throws IOException {
        shared = MappedFile.open(rendezvous.path(hello.sharedName()), SessionDescriptor.FILE_BYTES);
        slots = SlotFile.open(rendezvous.path(hello.slotsName()), hello.ringBytes(),
                MemoryBudget.unlimited());
        memory = new Words(shared.slice(0, SessionDescriptor.FILE_BYTES));
        announce(0);
        return this;
    }

    /** Says that the listener is open. */
    void announce(long flags) {
        memory.putRelease(SessionDescriptor.listener(LISTENER), GENERATION | flags); // pairs with announced
    }

    HandAcceptor send(ByteBuffer frame) throws IOException {
        control.write(frame);
        return this;
    }

    /** What a good answer says. */
    ByteBuffer welcome() {
        return Frame.welcome(new Frame.Welcome(Frame.VERSION, bells.name()));
    }

    /** A whole handshake. */
    HandAcceptor establish() throws IOException {
        return hearHello().map().send(welcome());
    }

    /** The only connect that was requested so far. */
    ConnectEntry onlyConnect() throws Exception {
        Eventually.until("a connect", () -> memory.getAcquire(SessionDescriptor.CONNECT_TAIL) == 1);
        memory.putRelease(SessionDescriptor.CONNECT_HEAD, 1); // pairs with hasRoom
        return ConnectEntry.read(memory, SessionDescriptor.connect(0));
    }

    /** As when the process is killed: the sockets close, the files stay. */
    @Override
    public void close() throws IOException {
        server.close();
        closeSession();
        bells.remove();
    }

    void closeSession() throws IOException {
        if (control != null) {
            control.close();
        }
        if (shared != null) {
            shared.leave();
            slots.leave();
        }
    }
}
