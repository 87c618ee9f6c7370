/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A way for bytes to travel other than TCP. Implementations are thread-safe; one instance serves a whole process.
 */
public interface Fabric {
    /**
     * The path's name in settings and reports.
     *
     * @return for example {@code shm}
     */
    String name();

    /**
     * Lends a bell that this fabric's peers ring.
     *
     * @return to be released by whoever sleeps on it, or null where peers ring none
     */
    default Bell lendBell() {
        return null;
    }

    /**
     * Offers a bound TCP listener on this fabric too.
     *
     * @param request where and how
     * @param queue receives established links; its {@link AcceptQueue#offer} is called by threads of the fabric
     * @return the offer, to be closed with the listener, or null where the address is none of this fabric's; pending
     *     links are the queue's business
     * @throws IOException if this fabric cannot serve that address; the message says why and what to do
     */
    ListenOffer listen(ListenRequest request, AcceptQueue queue) throws IOException;

    /**
     * Offers a listener that is about to listen on TCP and holds its port already, so that whoever finds it there finds
     * it here too.
     *
     * @param request as for {@code listen}
     * @param queue as for {@code listen}
     * @return the offer, which is not made a second time, or null: {@code listen} is to be called once TCP listens
     * @throws IOException as from {@code listen}, which is to be called too
     */
    default ListenOffer announce(ListenRequest request, AcceptQueue queue) throws IOException {
        return null;
    }

    /**
     * TCP has found nobody at an address, so it is worth while to look there closely the next time.
     *
     * @param remote as for {@link #connect}
     */
    default void nobodyAt(InetSocketAddress remote) { }

    /**
     * Connects, if the peer can be reached on this fabric.
     *
     * @param remote a resolved address, not a wildcard
     * @param port reserves the local port, once the peer is known to be there
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE}
     * @return an established link, or null when no one offers that address here
     * @throws PathException with {@link Reason#BACKLOG_FULL}, at once, if the listener is
     *     there and has no room: the connect is to wait, as over TCP
     * @throws IOException if the peer is there but the attempt failed; the message says why
     */
    Link connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws IOException;

    /**
     * Whether {@link #connect} sends something to that peer to find out, rather than looking at this host. Asking in
     * vain costs so much that the engine remembers who refused, and does not ask again for a while.
     *
     * @param remote as for {@code connect}
     * @return true where an answer must come from the peer
     */
    default boolean asksPeer(InetSocketAddress remote) {
        return false;
    }

    /**
     * Whether {@link #connect} may have to wait for that peer, so that a non-blocking connect leaves it to another
     * thread.
     *
     * @param remote as for {@code connect}
     * @return false where it takes microseconds, whatever the peer is doing
     */
    default boolean mayWait(InetSocketAddress remote) {
        return asksPeer(remote);
    }

    /**
     * Whether this fabric knows, and without looking any further, that {@link #connect} would find no one. Most peers
     * of some programs are like that, and connects to them are to cost no more than TCP's.
     *
     * @param remote as for {@code connect}
     * @return false where it has to be looked at
     */
    default boolean knowsNobodyAt(InetSocketAddress remote) {
        return false;
    }

    /**
     * Whether a connect that may also go by TCP is to pass this fabric over, rather than to wait for an answer. Asks
     * the peer meanwhile, for later connects. Never blocks.
     *
     * @param remote as for {@code connect}
     * @return null where the fabric is to be tried; why it is passed over, or {@link Reason#PREFERRED} where nothing is
     *     missed by that
     */
    default Reason passedOver(InetSocketAddress remote) {
        return null;
    }

    /**
     * Looks closely why {@link #connect} finds no one: for people to read, it decides nothing. Takes up to some tenths
     * of a second.
     *
     * @param remote as for {@code connect}
     * @return what stands between, or null where nothing is known
     */
    default PathException whyNobody(InetSocketAddress remote) {
        return null;
    }

    /**
     * Makes memory that peers of this fabric can read where it is.
     *
     * @param bytes how much, at least one
     * @return zeros, until their buffer is garbage; the name is to be removed; null where no peer could read it
     * @throws IOException if there is too little of it
     */
    default SourceMemory share(int bytes) throws IOException {
        return null;
    }

    /**
     * What a listener asks for.
     *
     * @param address the bound address with its real port; may be the wildcard
     * @param ipv4Only whether a wildcard means IPv4 alone
     * @param shared whether others may listen on the same address (SO_REUSEPORT)
     * @param backlog how many links may be pending; it is the queue that counts them
     * @param receiveBytes SO_RCVBUF of what is accepted, or 0 where the program set none; see {@link BufferSizes}
     */
    record ListenRequest(InetSocketAddress address, boolean ipv4Only, boolean shared, int backlog,
            int receiveBytes) { }
}
