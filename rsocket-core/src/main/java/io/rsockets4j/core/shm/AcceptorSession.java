/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.DescriptorBudget;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.RingLimits;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The side of a session that has listeners: it turns requested connects into links that wait to be accepted. */
final class AcceptorSession extends Session {
    private static final Log LOG = Log.of(AcceptorSession.class);
    private static final int DESCRIPTORS = 3; // the control socket, the session's file, the first slot file

    private final Listeners listeners;
    private final RingLimits rings; // of this session
    private final boolean across; // network namespaces
    private boolean hasLied; // guarded by the pump lock

    private AcceptorSession(ShmContext context, Listeners listeners, FrameChannel control, MappedFile file,
            Frame.ShmHello hello) {
        super(SessionDescriptor.ACCEPTOR, context, control, file);
        this.listeners = listeners;
        this.rings = new RingLimits(hello.ringBytes(), hello.ringBytes());
        this.across = isAcross(context, hello);
    }

    /**
     * Answers a HELLO: the peer hears of all listeners. Service thread.
     *
     * @throws IOException if it cannot be accepted; the message is for the peer
     */
    static AcceptorSession accept(ShmContext context, Listeners listeners, FrameChannel control, Frame.ShmHello hello)
            throws IOException {
        check(context, hello);
        DescriptorBudget.requireSpare();
        context.descriptors().take(DESCRIPTORS);
        MappedFile file = null;
        AcceptorSession session;
        try {
            file = MappedFile.open(context.rendezvous().path(hello.sharedName()), SessionDescriptor.FILE_BYTES);
            file.requirePages(SessionDescriptor.FILE_BYTES);
            session = new AcceptorSession(context, listeners, control, file, hello);
            file.holdAs(SessionDescriptor.ACCEPTOR);
            session.openPeerBells(hello.bellsName());
            session.mapSlots(hello.slotsName());
            MappedFile.unlink(context.rendezvous().path(hello.sharedName())); // the peer may end before our answer
        } catch (IOException | RuntimeException | Error e) {
            context.descriptors().giveBack(DESCRIPTORS);
            if (file != null) {
                file.leave(); // it is the peer's
            }
            removeNames(context.rendezvous(), hello);
            throw e;
        }
        listeners.add(session);
        return session;
    }

    /** Refused files need no names any more, and the peer may have ended, its bells gone with it. */
    private static void removeNames(Rendezvous rendezvous, Frame.ShmHello hello) {
        MappedFile.unlink(rendezvous.path(hello.sharedName()));
        MappedFile.unlink(rendezvous.path(hello.slotsName()));
    }

    /** Whether the peer is in another network namespace. */
    private static boolean isAcross(ShmContext context, Frame.ShmHello hello) {
        return hello.namespace() != context.rendezvous().namespaceId();
    }

    private static void check(ShmContext context, Frame.ShmHello hello) throws IOException {
        if (hello.minVersion() > Frame.VERSION || hello.maxVersion() < Frame.VERSION) {
            throw new PathException(Reason.VERSION, "versions " + hello.minVersion() + " to " + hello.maxVersion()
                    + " do not include " + Frame.VERSION);
        }
        if (isAcross(context, hello) && !context.rendezvous().isAcross()) {
            throw new PathException(Reason.OTHER_NAMESPACE, "network namespace " + hello.namespace() + " is not "
                    + context.rendezvous().namespaceId() + ", and the listener's process does not have"
                    + " shm.across.namespaces=true");
        }
        int ring = hello.ringBytes();
        if (Integer.bitCount(ring) != 1 || ring < 2 * SlotDescriptor.FIRST_BYTES || ring > 1 << 28) {
            throw new IOException("rings of " + ring + " bytes");
        }
        if (!Rendezvous.isName(hello.sharedName(), Rendezvous.SHARED)
                || !Rendezvous.isName(hello.slotsName(), Rendezvous.SHARED)
                || !Rendezvous.isName(hello.bellsName(), Rendezvous.BELLS)) {
            throw new IOException("impossible file names");
        }
    }

    @Override
    void serve(int type, ByteBuffer payload) throws IOException {
        switch (type) {
            case Frame.RING -> pump();
            case Frame.SLOTS -> addSlots(Frame.getIndex(payload), Frame.getText(payload));
            default -> throw new IOException("unexpected frame of type " + type);
        }
    }

    private void addSlots(int index, String name) throws IOException {
        if (index != slotFiles().size() || !Rendezvous.isName(name, Rendezvous.SHARED)
                || (index + 1) * slotFiles().get(0).slots() > SessionDescriptor.MAX_SLOTS) {
            throw new IOException("unexpected slot file " + index + " " + name);
        }
        try {
            addSlotFile(name);
        } catch (IOException e) { // out of descriptors, most likely: what is there goes on
            control().write(Frame.slotsRefused(Frame.whyRefused(e)));
            return;
        }
        control().write(Frame.slotsMapped(index));
    }

    private void addSlotFile(String name) throws IOException {
        context().descriptors().take(1);
        try {
            mapSlots(name);
        } catch (IOException | RuntimeException | Error e) {
            context().descriptors().giveBack(1);
            throw e;
        }
    }

    /** Takes a file that the peer has made, which needs no name from then on. */
    private void mapSlots(String name) throws IOException {
        Path path = context().rendezvous().path(name);
        addSlots(SlotFile.open(path, rings.maxBytes(), context().budget()));
        MappedFile.unlink(path);
    }

    @Override
    void retired() {
        context().descriptors().giveBack(DESCRIPTORS - 1 + slotFiles().size());
    }

    @Override
    boolean hasConnects() {
        try {
            return !isPeerGone()
                    && memory().getAcquire(SessionDescriptor.CONNECT_TAIL) // pairs with InitiatorSession.request
                    != memory().getAcquire(SessionDescriptor.CONNECT_HEAD); // with serveConnects, locked before
        } catch (InternalError e) {
            faulted(e);
            return false;
        }
    }

    @Override
    void serveConnects() {
        long taken = memory().getOpaque(SessionDescriptor.CONNECT_HEAD);
        long requested = memory().getAcquire(SessionDescriptor.CONNECT_TAIL); // pairs with request
        if (requested < taken || requested - taken > SessionDescriptor.CONNECT_ENTRIES) {
            failed(new IOException("connect count " + requested + " is outside " + taken + " to "
                    + (taken + SessionDescriptor.CONNECT_ENTRIES)));
            return;
        }
        while (taken < requested && !isPeerGone()) {
            try {
                ConnectEntry entry = ConnectEntry.read(memory(), SessionDescriptor.connect(taken));
                taken++;
                memory().putRelease(SessionDescriptor.CONNECT_HEAD, taken); // pairs with hasRoom
                serve(entry);
            } catch (IllegalArgumentException e) {
                failed(new IOException(e));
                return;
            }
        }
    }

    private void serve(ConnectEntry entry) {
        int ringBytes = rings.maxBytes();
        if (!rings.allows(entry.ringBytes(0, ringBytes)) || !rings.allows(entry.ringBytes(1, ringBytes))) {
            throw new IllegalArgumentException("rings of " + entry.ringBytes0() + " and " + entry.ringBytes1()
                    + " bytes");
        }
        int perFile = slotFiles().get(0).slots();
        if (entry.slot() / perFile >= slotFiles().size() || link(entry.slot()) != null) {
            throw new IllegalArgumentException("slot " + entry.slot() + " is not free");
        }
        ShmLink link = new ShmLink(this, slotFiles().get(entry.slot() / perFile), entry.slot(), entry.generation(),
                entry, null);
        attach(link);
        Listeners.Offer listener = listeners.find(entry.listener(), entry.listenerGeneration());
        if (listener == null || !believes(entry, listener) || !listener.queue().offer(link)) {
            link.close(true);
        }
    }

    private boolean believes(ConnectEntry entry, Listeners.Offer listener) {
        if (listeners.believe(entry, listener, across)) {
            return true;
        }
        LOG.log(hasLied ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                "rsockets4j: a process of this user claims to be " + entry.initiator() + " and to connect to "
                        + entry.acceptor() + ", which cannot be; such connects are reset");
        hasLied = true;
        return false;
    }

    @Override
    void released(ShmLink link) {
        link.releaseSlot();
    }

    @Override
    void ended(IOException cause) {
        listeners.remove(this);
    }
}
