/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.host.DescriptorBudget;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.settings.RingLimits;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Both sides of a session in one process, without any thread that serves it.
 *
 * @param initiator sends on ring 0 of each slot
 * @param acceptor receives there
 * @param bells of this process, and so of both sides
 * @param control their sockets, which do not block: the near one is the initiator's
 * @param shared their words
 */
record SessionPair(BareSession initiator, BareSession acceptor, BellsFile bells, UnixPair control, MappedFile shared)
        implements AutoCloseable {
    private static final ConnectEntry ENTRY = new ConnectEntry(0, 1, 0, 1, new InetSocketAddress("127.0.0.1", 1),
            new InetSocketAddress("127.0.0.1", 2), 0, 0);

    /** Opens a session with so many files of slots. */
    static SessionPair open(Path directory, int ringBytes, int files) throws IOException {
        Rendezvous rendezvous = Rendezvous.open(directory.toString(), false);
        BellsFile bells = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
        ShmContext context = new ShmContext(rendezvous, bells, new ServiceThread(), new SpinPolicy(0, 2),
                new RingLimits(ringBytes, ringBytes), 1, MemoryBudget.unlimited(), new HeldPorts(),
                new DescriptorBudget(), new VirtualWaker(bells.page()),
                new LentMemory(rendezvous, bells.name(), MemoryBudget.unlimited(), 1, Integer.MAX_VALUE));
        MappedFile shared = MappedFile.create(rendezvous.newPath(Rendezvous.SHARED), SessionDescriptor.FILE_BYTES,
                MemoryBudget.unlimited());
        UnixPair control = UnixPair.open(directory);
        control.near().configureBlocking(false);
        control.far().configureBlocking(false);
        SessionPair pair = new SessionPair(
                new BareSession(SessionDescriptor.INITIATOR, context, new FrameChannel(control.near()), shared),
                new BareSession(SessionDescriptor.ACCEPTOR, context, new FrameChannel(control.far()), shared),
                bells, control, shared);
        pair.initiator.openPeerBells(bells.name());
        pair.acceptor.openPeerBells(bells.name());
        for (int i = 0; i < files; i++) {
            SlotFile slots = SlotFile.create(rendezvous.newPath(Rendezvous.SHARED), ringBytes,
                    MemoryBudget.unlimited());
            pair.initiator.addSlots(slots);
            pair.acceptor.addSlots(slots);
        }
        return pair;
    }

    /** How many slots there are. */
    int slots() {
        return initiator.slotFiles().size() * perFile();
    }

    private int perFile() {
        return initiator.slotFiles().get(0).slots();
    }

    /** The file that has a slot. */
    SlotFile file(int slot) {
        return initiator.slotFiles().get(slot / perFile());
    }

    /** The words of one ring of a slot. */
    Words ringControl(int slot, int ring) {
        return file(slot).words(slot % perFile()).ring(ring);
    }

    /** Makes a slot ready for a connection, as an initiator does. */
    void reset(int slot) throws IOException {
        file(slot).reset(slot % perFile());
    }

    /** The end of a connection at the side of a session. */
    ShmLink link(BareSession side, int slot, long generation) {
        return new ShmLink(side, file(slot), slot, generation, ENTRY, null);
    }

    @Override
    public void close() throws IOException {
        control.close();
        bells.remove();
        shared.leave();
        initiator.slotFiles().forEach(SlotFile::leave);
    }
}
