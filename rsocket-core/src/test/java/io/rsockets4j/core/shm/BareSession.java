/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.MappedFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A session without a thread that serves it, and without connects. */
final class BareSession extends Session {
    BareSession(int side, ShmContext context, FrameChannel control, MappedFile file) {
        super(side, context, control, file);
    }

    @Override
    void serve(int type, ByteBuffer payload) {
        throw new UnsupportedOperationException();
    }

    @Override
    void ended(IOException cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    void serveConnects() {
        throw new UnsupportedOperationException();
    }

    @Override
    boolean hasConnects() {
        return false;
    }

    /** As an acceptor's does; an initiator's slots are whoever's made them. */
    @Override
    void released(ShmLink link) {
        if (side() == SessionDescriptor.ACCEPTOR) {
            link.releaseSlot();
        }
    }
}
