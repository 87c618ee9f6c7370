/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.DirectDoorbell;
import io.rsockets4j.core.fabric.SelectorWaiter;
import java.nio.channels.SelectableChannel;

/** A lane on which one selector sleeps. Used by that selector's thread alone. */
final class SelectorLane implements DirectDoorbell {
    private final Session session;
    private final Lane lane;

    SelectorLane(Session session, Lane lane) {
        this.session = session;
        this.lane = lane;
    }

    int index() {
        return lane.index();
    }

    @Override
    public SelectableChannel channel() {
        return lane.channel();
    }

    @Override
    public boolean prepareToSleep() {
        if (session.isPeerGone()) {
            return true; // nobody rings here any more, and the memory may be gone
        }
        session.park(lane.index());
        return !session.isRung(lane.index());
    }

    @Override
    public void awake(SelectorWaiter owner) {
        if (session.isPeerGone()) {
            return; // its links were rung one by one
        }
        session.unpark(lane.index());
        lane.drain();
        session.collect(lane.index(), owner::rung);
    }

    @Override
    public void release() {
        session.giveLane(lane.index());
    }
}
