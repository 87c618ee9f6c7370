/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A sender and a receiver with a network between them that keeps order each way, and is otherwise as late as a schedule
 * says. What must hold is looked at with each step, on this side's own counts.
 *
 * <p>A schedule is numbers: the first two say the sizes, and each other one is a step, what to do in its lowest four
 * bits and how much in the others.
 */
final class SimulatedStream implements DirectSender.Wire, DirectReceiver.Wire {
    private static final long SPACING = 1 << 20;
    private static final int MOST = 12;

    /** Makes the sender, or one with a fault. */
    interface Maker {
        DirectSender make(DirectSender.Wire wire, int ringBytes, int maxAdverts);
    }

    private interface Message {
        void arrive() throws DirectCorruptedException;
    }

    private static final class Receive {
        final long id;
        final byte[] bytes;
        final boolean waitAll;
        int filled;
        boolean cancelled;
        boolean done;

        Receive(long id, int length, boolean waitAll) {
            this.id = id;
            this.bytes = new byte[length];
            this.waitAll = waitAll;
        }
    }

    private final byte[] ring;
    private final int maxReceives;
    private final DirectSender sender;
    private final DirectReceiver receiver;
    private final Queue<Message> toReceiver = new ArrayDeque<>();
    private final Queue<Message> toSender = new ArrayDeque<>();
    private final Map<Long, Receive> receives = new HashMap<>();
    private final List<Receive> pending = new ArrayList<>();
    private long nextId;
    private long wanted; // bytes that the program wants to send
    private long sent;
    private long ringSent;
    private long delivered;
    private int inRing;
    private int cancelledLate;

    private SimulatedStream(int ringBytes, int maxReceives, Maker maker) {
        ring = new byte[ringBytes];
        this.maxReceives = maxReceives;
        sender = maker.make(this, ringBytes, maxReceives);
        receiver = new DirectReceiver(this, ringBytes, maxReceives);
    }

    /** Runs a schedule and then everything that is left, to the end of the stream. */
    static SimulatedStream run(int[] schedule, Maker maker) {
        SimulatedStream stream = new SimulatedStream(1 + schedule[0] % 24, 1 + schedule[1] % 6, maker);
        try {
            for (int i = 2; i < schedule.length; i++) {
                stream.step(schedule[i] & 15, schedule[i] >>> 4);
            }
            stream.finish();
        } catch (DirectCorruptedException e) {
            throw new AssertionError("a peer that keeps the rules is refused", e);
        }
        return stream;
    }

    long directly() {
        return sender.sentDirectly();
    }

    long byRing() {
        return ringSent;
    }

    /** How many cancelled receives got bytes all the same, or had to wait for the sender. */
    int cancelledLate() {
        return cancelledLate;
    }

    private void step(int what, int howMuch) throws DirectCorruptedException {
        switch (what) {
            case 0, 1 -> send(1 + howMuch % MOST);
            case 2, 3 -> send(1 + howMuch % 2);
            case 4, 5, 6 -> receive(1 + (howMuch >> 4) % MOST, (howMuch & 3) == 0, (howMuch & 12) != 0);
            case 7, 8, 9 -> arrive(toReceiver);
            case 10, 11, 12 -> arrive(toSender);
            case 13, 14 -> receiver.drain();
            default -> cancel(howMuch);
        }
        look();
    }

    private void send(int more) {
        wanted += wanted < 2 * MOST ? more : 0; // else most of a schedule would go by the ring
        trySend();
    }

    private void trySend() {
        long before = sent;
        int length = sender.send((int) Math.min(wanted, MOST));
        assertThat(sent - before).as("bytes that send() tells").isEqualTo(length);
        wanted -= length;
    }

    private void receive(int length, boolean waitAll, boolean direct) {
        if (pending.size() == maxReceives) {
            return;
        }
        Receive receive = new Receive(nextId++, length, waitAll);
        receives.put(receive.id, receive);
        pending.add(receive);
        assertThat(receiver.receive(receive.id, length, waitAll, direct)).isTrue();
    }

    private void cancel(int which) {
        if (!pending.isEmpty()) {
            Receive receive = pending.get(which % pending.size());
            receive.cancelled = true;
            assertThat(receiver.cancel(receive.id)).isTrue();
            if (!receive.done) {
                cancelledLate++;
            }
        }
    }

    private boolean arrive(Queue<Message> messages) throws DirectCorruptedException {
        Message message = messages.poll();
        if (message == null) {
            return false;
        }
        message.arrive();
        look();
        return true;
    }

    private void look() {
        assertThat(sender.credit()).as("credit").isBetween(0, ring.length);
        assertThat(sender.sent()).isEqualTo(sent);
        assertThat(receiver.buffered()).isEqualTo(inRing);
        assertThat(receiver.delivered()).as("delivered bytes").isEqualTo(deliveredSoFar());
    }

    private long deliveredSoFar() {
        return delivered + pending.stream().mapToLong(receive -> receive.filled).sum();
    }

    /** Lets everything arrive, sends what is left, and posts receives as long as bytes are on the way. */
    private void finish() throws DirectCorruptedException {
        for (int turn = 0; wanted > 0 || deliveredSoFar() < sent; turn++) {
            assertThat(turn).as("turns without an end: the stream is stuck").isLessThan(2_000);
            settle();
            trySend();
            if (pending.isEmpty()) {
                receive(1 + turn % MOST, false, turn % 3 > 0);
            }
        }
        settle();
        assertThat(sender.credit()).as("credit of an empty ring").isEqualTo(ring.length);
        sender.end();
        settle();
        assertThat(pending).as("receives that wait after the end").isEmpty();
        assertThat(delivered).isEqualTo(sent);
    }

    private void settle() throws DirectCorruptedException {
        boolean more = true;
        while (more) {
            receiver.drain();
            more = arrive(toReceiver) | arrive(toSender);
        }
        assertThat(pending).as("receives that wait").noneMatch(receive -> receive.cancelled);
    }

    @Override
    public void writeBuffer(long address, long key, int length) {
        Receive receive = receives.get(key);
        assertThat(receive.done).as("a direct write to a receive that has ended").isFalse();
        int offset = (int) (address - key * SPACING);
        for (int i = 0; i < length; i++) {
            receive.bytes[offset + i] = byteAt(sent + i); // lands at once; the news of it comes later
        }
        sent += length;
        toReceiver.add(() -> directArrived(receive, offset, length));
    }

    private void directArrived(Receive receive, int offset, int length) throws DirectCorruptedException {
        assertThat(pending).as("receives that wait when a direct write comes").isNotEmpty();
        assertThat(receive.id).as("receive of a direct write").isEqualTo(pending.get(0).id);
        assertThat(inRing).as("bytes in the ring when a direct write comes").isZero();
        assertThat(offset).as("offset of a direct write").isEqualTo(receive.filled);
        receive.filled += length;
        receiver.directArrived(length);
    }

    @Override
    public void writeRing(long position, int length) {
        assertThat(position).isEqualTo(ringSent);
        for (int i = 0; i < length; i++) {
            ring[(int) ((position + i) % ring.length)] = byteAt(sent + i);
        }
        sent += length;
        ringSent += length;
        toReceiver.add(() -> {
            inRing += length;
            receiver.ringArrived(length);
        });
    }

    @Override
    public void withdrawn() {
        toReceiver.add(receiver::withdrawn);
    }

    @Override
    public void end(long total) {
        toReceiver.add(() -> receiver.ended(total));
    }

    @Override
    public void advertise(long phase, long sequence, long id, int offset, int length, boolean waitAll) {
        Receive receive = receives.get(id);
        assertThat(offset).isEqualTo(receive.filled);
        assertThat(length).isEqualTo(receive.bytes.length - receive.filled);
        toSender.add(() -> advertArrived(phase, sequence, id, offset, length, waitAll));
    }

    private void advertArrived(long phase, long sequence, long id, int offset, int length, boolean waitAll)
            throws DirectCorruptedException {
        long before = sender.phase();
        sender.advert(phase, sequence, id * SPACING + offset, id, length, waitAll);
        assertThat(sender.phase()).as("the sender's phase, after an advert of phase").isGreaterThanOrEqualTo(phase);
        if ((before & 1) == 1 && (sender.phase() & 1) == 0) {
            assertThat(sequence).as("sequence of the advert that ends a phase of the ring").isEqualTo(sent);
        }
    }

    @Override
    public void acknowledge(long total) {
        toSender.add(() -> sender.acknowledged(total));
    }

    @Override
    public void withdraw(long phase) {
        toSender.add(() -> sender.withdraw(phase));
    }

    @Override
    public void copy(long position, long id, int offset, int length) {
        Receive receive = pending.get(0);
        assertThat(id).as("receive that gets bytes of the ring").isEqualTo(receive.id);
        assertThat(offset).isEqualTo(receive.filled);
        for (int i = 0; i < length; i++) {
            receive.bytes[offset + i] = ring[(int) ((position + i) % ring.length)];
        }
        receive.filled += length;
        inRing -= length;
    }

    @Override
    public void completed(long id, int bytes, DirectReceiver.Ending ending) {
        Receive receive = receives.get(id);
        assertThat(bytes).as("bytes of receive %s", id).isEqualTo(receive.filled);
        for (int i = 0; i < bytes; i++) {
            if (receive.bytes[i] != byteAt(delivered + i)) {
                fail("byte %s of the stream is another one", delivered + i);
            }
        }
        if (ending == DirectReceiver.Ending.DATA) {
            assertThat(bytes).isBetween(receive.waitAll ? receive.bytes.length : 1, receive.bytes.length);
        }
        delivered += bytes;
        receive.done = true;
        assertThat(pending.remove(receive)).as("receive %s was pending", id).isTrue();
    }

    private static byte byteAt(long position) {
        return (byte) (position * 0x9E3779B97F4A7C15L >>> 56);
    }
}
