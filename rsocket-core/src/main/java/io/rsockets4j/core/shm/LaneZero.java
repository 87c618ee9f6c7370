/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.EOFException;
import java.io.IOException;

/** The doorbell thread's own lane of a session. */
final class LaneZero implements DoorbellThread.Handler {
    private final Session session;
    private final Lane lane;

    LaneZero(Session session, Lane lane) {
        this.session = session;
        this.lane = lane;
    }

    @Override
    public void ready() throws IOException {
        if (!lane.drain()) {
            throw new EOFException("the peer has gone");
        }
        session.pump();
    }

    @Override
    public void failed(IOException cause) {
        session.failed(cause);
    }
}
