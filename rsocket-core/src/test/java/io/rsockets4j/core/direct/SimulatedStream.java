/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A sender and a receiver with a network between them that keeps order each way, and is otherwise as late as a schedule
 * says. What must hold is looked at with each step, on this side's own counts. A byte's place in the ring is that of
 * its position; the places of those that went straight are left out.
 *
 * <p>A schedule is numbers: the first one says the ring's size, and each other one is a step, what to do in its lowest
 * four bits and how much in the others.
 */
final class SimulatedStream {
    private static final long SPACING = 1 << 20;
    private static final int MOST = 12;

    /** Makes the two sides, or some with a fault. */
    static class Maker {
        PeerAdverts sender() {
            return new PeerAdverts();
        }

        OwnAdverts receiver() {
            return new OwnAdverts();
        }

        /** What an advert says of the bytes that came by the ring. */
        long ringBytes(long read, long arrived) {
            return read;
        }
    }

    private interface Message {
        void arrive() throws DirectCorruptedException;
    }

    private static final class Receive {
        final int id;
        final byte[] bytes;
        final boolean waitAll;
        final boolean direct;
        int filled;
        boolean done;

        Receive(int id, int length, boolean waitAll, boolean direct) {
            this.id = id;
            this.bytes = new byte[length];
            this.waitAll = waitAll;
            this.direct = direct;
        }
    }

    private final Maker maker;
    private final byte[] ring;
    private final PeerAdverts sender;
    private final OwnAdverts receiver;
    private final Queue<Message> toReceiver = new ArrayDeque<>();
    private final Queue<Message> toSender = new ArrayDeque<>();
    private final Map<Integer, Receive> receives = new HashMap<>();
    private final List<Receive> pending = new ArrayList<>();

    // the sender's counts of bytes
    private long wanted;
    private long accepted;
    private long posted;
    private long acknowledged;
    private boolean confirmationDue;
    private long lentBegin;
    private long lentEnd;

    // the receiver's
    private long arrived;
    private long arrivedStraight;
    private int part;
    private long read;
    private long readStraight;
    private long ringBytesBefore;
    private boolean withdrawing;
    private long delivered; // to receives that have ended
    private int waited; // receives that were taken back, and waited for the sender

    private SimulatedStream(int ringBytes, Maker maker) {
        this.maker = maker;
        ring = new byte[ringBytes];
        sender = maker.sender();
        receiver = maker.receiver();
    }

    /** Runs a schedule and then everything that is left, to the end of the stream. */
    static SimulatedStream run(int[] schedule, Maker maker) {
        SimulatedStream stream = new SimulatedStream(1 + schedule[0] % 24, maker);
        try {
            for (int i = 1; i < schedule.length; i++) {
                stream.step(schedule[i] & 15, schedule[i] >>> 4);
            }
            stream.finish();
        } catch (DirectCorruptedException e) {
            throw new AssertionError("a peer that keeps the rules is refused", e);
        }
        return stream;
    }

    long straight() {
        return arrivedStraight;
    }

    long byRing() {
        return arrived - arrivedStraight;
    }

    int waited() {
        return waited;
    }

    private void step(int what, int howMuch) throws DirectCorruptedException {
        switch (what) {
            case 0, 1 -> send(1 + (howMuch >> 1) % MOST, (howMuch & 1) == 0);
            case 2 -> send(1 + (howMuch >> 1) % 2, (howMuch & 1) == 0);
            case 3, 4 -> post(1 + howMuch % MOST);
            case 5, 6, 7 -> receive(1 + (howMuch >> 4) % MOST, (howMuch & 3) == 0, (howMuch & 12) != 0);
            case 8, 9, 10 -> arrive(toReceiver);
            case 11, 12 -> arrive(toSender);
            case 13, 14 -> drain();
            default -> breakOrTakeBack(howMuch);
        }
        assertThat(read).as("bytes read").isLessThanOrEqualTo(arrived);
    }

    private void breakOrTakeBack(int howMuch) throws DirectCorruptedException {
        if (howMuch % 8 == 0) {
            switchLinks();
        } else if (howMuch % 8 < 4) {
            takeBack();
        }
    }

    // ---- the sender

    private void send(int more, boolean lent) {
        wanted += wanted < 2 * MOST ? more : 0; // else most of a schedule would go by the ring
        if (lent) {
            lend();
        } else {
            stage();
        }
    }

    /** Bytes go from the program's memory, as many as there are buffers for. */
    private void lend() {
        int bytes = wanted == 0 ? 0 : sender.take(accepted, (int) wanted, SPACING, 0);
        if (bytes > 0) {
            lentBegin = isLentOver() ? accepted : lentBegin;
            accepted += bytes;
            wanted -= bytes;
            lentEnd = accepted;
        }
    }

    private boolean isLentOver() {
        return arrived >= lentEnd;
    }

    /** Bytes are copied, as many as there is room for; but not while others go from the program's memory. */
    private void stage() {
        int may = (int) Math.min(wanted, Math.max(acknowledged, lentEnd) + ring.length - accepted);
        if (may > 0 && isLentOver()) {
            accepted += may;
            wanted -= may;
        }
    }

    /** Writes one piece, of so many bytes at most. */
    private void post(int most) {
        if (posted < accepted) {
            int straight = sender.straight(posted);
            int length = (int) Math.min(most, accepted - posted);
            if (straight > 0) {
                postStraight(Math.min(length, straight), straight);
            } else {
                postToRing((int) Math.min(length, sender.byRing(posted)));
            }
        }
        confirm();
    }

    private void postStraight(int length, int rest) {
        boolean last = length == rest && sender.endsBuffer();
        Receive receive = receives.get(sender.key());
        assertThat(receive.done).as("a write straight to a receive that has ended").isFalse();
        int offset = (int) (sender.address(posted) - receive.id * SPACING);
        for (int i = 0; i < length; i++) {
            receive.bytes[offset + i] = byteAt(posted + i); // lands at once; the news of it comes later
        }
        posted += length;
        toReceiver.add(() -> arrivedStraight(receive, offset, length, last));
    }

    private void postToRing(int length) {
        for (int i = 0; i < length; i++) {
            ring[(int) ((posted + i) % ring.length)] = byteAt(posted + i);
        }
        posted += length;
        toReceiver.add(() -> {
            endPart();
            arrived += length;
        });
    }

    private void confirm() {
        if (confirmationDue && sender.isWritten(posted)) {
            confirmationDue = false;
            toReceiver.add(this::withdrawn);
        }
    }

    // ---- the receiver

    private void receive(int length, boolean waitAll, boolean direct) {
        if (pending.size() == OwnAdverts.MAX / 2) {
            return;
        }
        Receive receive = new Receive(1 + receives.size(), length, waitAll, direct);
        receives.put(receive.id, receive);
        pending.add(receive);
        advertise();
    }

    private void advertise() {
        int known = receiver.count();
        for (int i = known; i < pending.size() && arrived == read && !withdrawing && pending.get(i).direct; i++) {
            Receive receive = pending.get(i);
            long ringRead = maker.ringBytes(read - readStraight, arrived - arrivedStraight) - ringBytesBefore;
            Advert advert = new Advert(ringRead, receive.id * SPACING + receive.filled,
                    receive.bytes.length - receive.filled, receive.id, receive.waitAll);
            receiver.add(advert);
            long told = read;
            toSender.add(() -> {
                acknowledged = told;
                sender.hold(advert, accepted);
            });
        }
    }

    private void arrivedStraight(Receive receive, int offset, int length, boolean last)
            throws DirectCorruptedException {
        int done = receiver.count() - receiver.open();
        assertThat(pending.size()).as("receives that wait when a direct write comes").isGreaterThan(done);
        assertThat(receive.id).as("receive of a direct write").isEqualTo(pending.get(done).id);
        assertThat(arrived - arrivedStraight).as("bytes by the ring when a direct write comes, and those read")
                .isEqualTo(read - readStraight);
        assertThat(offset).as("offset of a direct write").isEqualTo(receive.filled + part);
        receiver.arrived(length, last, arrived - arrivedStraight - ringBytesBefore);
        part += length;
        if (last) {
            publish();
        }
    }

    private void publish() {
        arrived += part;
        arrivedStraight += part;
        part = 0;
    }

    private void endPart() throws DirectCorruptedException {
        if (part > 0) {
            receiver.endPart();
            publish();
        }
    }

    /** Gives what has come to receives that wait, and tells the sender. */
    private void drain() {
        take();
        advertise();
    }

    private void take() {
        boolean news = read < arrived && !pending.isEmpty();
        while (read < arrived && !pending.isEmpty()) {
            Receive oldest = pending.get(0);
            int bytes = receiver.take();
            if (bytes > 0) {
                readStraight += bytes;
                took(oldest, bytes);
                if (!oldest.done) { // those behind are for later bytes
                    receiver.forget();
                }
            } else {
                receiver.forget();
                took(oldest, copy(oldest));
            }
        }
        if (news) {
            long told = read;
            toSender.add(() -> acknowledged = told);
        }
    }

    private int copy(Receive receive) {
        int length = (int) Math.min(arrived - read, receive.bytes.length - receive.filled);
        for (int i = 0; i < length; i++) {
            receive.bytes[receive.filled + i] = ring[(int) ((read + i) % ring.length)];
        }
        return length;
    }

    private void took(Receive receive, int bytes) {
        read += bytes;
        receive.filled += bytes;
        if (!receive.waitAll || receive.filled == receive.bytes.length) {
            complete(receive);
        }
    }

    private void complete(Receive receive) {
        for (int i = 0; i < receive.filled; i++) {
            assertThat(receive.bytes[i]).as("byte %s of the stream", delivered + i).isEqualTo(byteAt(delivered + i));
        }
        delivered += receive.filled;
        receive.done = true;
        assertThat(pending.remove(0)).isSameAs(receive);
    }

    /** Takes all receives back; they end at once, or when the sender confirms that it writes to none. */
    private void takeBack() {
        if (withdrawing) {
            return;
        }
        if (receiver.open() == 0) {
            endReceives();
            return;
        }
        withdrawing = true;
        waited += pending.size();
        toSender.add(() -> {
            sender.drop();
            confirmationDue = true;
            confirm();
        });
    }

    private void withdrawn() throws DirectCorruptedException {
        endPart();
        endReceives();
        withdrawing = false;
    }

    private void endReceives() {
        take();
        receiver.forget();
        while (!pending.isEmpty()) {
            complete(pending.get(0));
        }
    }

    // ---- the network

    private boolean arrive(Queue<Message> messages) throws DirectCorruptedException {
        Message message = messages.poll();
        if (message == null) {
            return false;
        }
        message.arrive();
        return true;
    }

    /** The link fails: what is under way is lost, and the sender goes on by another one with what has not arrived. */
    private void switchLinks() {
        toReceiver.clear();
        toSender.clear();
        receiver.end();
        publish();
        ringBytesBefore = arrived - arrivedStraight;
        sender.forget();
        sender.resume(arrived);
        acknowledged = read;
        posted = arrived;
        confirmationDue = false;
        if (arrived < lentEnd) { // the program sends the rest again
            long goesOn = Math.max(arrived, lentBegin);
            wanted += accepted - goesOn;
            accepted = goesOn;
            lentEnd = goesOn;
        }
        if (withdrawing) {
            withdrawing = false;
            endReceives();
        }
    }

    /** Lets everything arrive, sends what is left, and posts receives as long as bytes are on the way. */
    private void finish() throws DirectCorruptedException {
        for (int turn = 0; wanted > 0 || delivered < accepted; turn++) {
            assertThat(turn).as("turns without an end: the stream is stuck").isLessThan(2_000);
            settle();
            send(0, turn % 2 == 0);
            if (pending.isEmpty()) {
                receive(1 + turn % MOST, false, turn % 3 > 0);
            } else if (wanted == 0) {
                takeBack(); // one that waits for all waits for bytes that never come
            }
        }
        assertThat(delivered).isEqualTo(accepted);
    }

    private void settle() throws DirectCorruptedException {
        boolean more = true;
        while (more) {
            more = posted < accepted;
            post(MOST);
            drain();
            more |= arrive(toReceiver) | arrive(toSender);
        }
    }

    private static byte byteAt(long position) {
        return (byte) (position * 0x9E3779B97F4A7C15L >>> 56);
    }
}
