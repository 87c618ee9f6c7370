/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

/**
 * The receives of the peer on one link that this side may still use. Under the send queue's lock, but for {@link
 * #isNew}.
 */
final class SendCredit {
    private static final int UNKNOWN = -1;

    private long granted; // receives that the peer has posted, since the link began
    private long used; // of those
    private int posted; // how many the peer keeps posted
    private int lastOfData = UNKNOWN; // what the peer's data last said; used by whoever polls

    /** The peer says how many receives it has posted; the first message may have used one. */
    void begin(int receives) {
        posted = receives;
        granted = receives;
    }

    /** The same for another link, whose first message has been sent. */
    void restart(int receives) {
        used = 1;
        lastOfData = UNKNOWN;
        begin(receives);
    }

    /** One receive is used. */
    void use() {
        used++;
    }

    /** How many receives may be used. */
    long left() {
        return granted - used;
    }

    /**
     * The peer has posted receives up to a count, as a message says.
     *
     * @throws ProtocolException if that count cannot be
     */
    void grant(long count) throws ProtocolException {
        if (count < granted || count > used + posted) {
            throw new ProtocolException("receives are granted up to " + count + " after " + granted + ", of which "
                    + used + " were used");
        }
        granted = count;
        lastOfData = UNKNOWN; // by now the same low bits may mean a higher count
    }

    /** Whether the peer's data says something that it did not say last. Whoever polls; without the lock. */
    boolean isNew(int ofData) {
        return ofData != lastOfData;
    }

    /**
     * The peer's data says how many receives it has posted. Whoever polls.
     *
     * @throws ProtocolException if that cannot be
     */
    void grantWithData(int ofData) throws ProtocolException {
        grant(DataImmediate.receives(ofData, granted));
        lastOfData = ofData;
    }
}
