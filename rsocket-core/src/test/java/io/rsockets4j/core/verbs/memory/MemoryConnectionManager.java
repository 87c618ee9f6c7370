/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;

/** An event channel. Its owner is whoever waited last. */
final class MemoryConnectionManager implements ConnectionManager {
    private final MemoryHost host;
    private final Mailbox<CmEvent> mailbox = new Mailbox<>();
    private final Exclusive waiting;
    private volatile Thread owner;
    private volatile boolean closed;

    MemoryConnectionManager(MemoryHost host) {
        this.host = host;
        waiting = new Exclusive(host.network(), "connection manager");
        host.eventFault().add(mailbox::wakeup);
    }

    MemoryHost host() {
        return host;
    }

    @Override
    public CmId createId() throws VerbsException {
        if (!host.isPresent()) {
            throw Errno.ENODEV.of("rdma_create_id");
        }
        return new MemoryCmId(this);
    }

    @Override
    public CmEvent await(int timeoutMillis) throws IOException {
        if (closed) {
            throw Errno.EINVAL.of("rdma_get_cm_event");
        }
        owner = Thread.currentThread();
        waiting.enter();
        try {
            host.eventFault().check();
            CmEvent event = mailbox.await(timeoutMillis);
            host.eventFault().check();
            return event;
        } finally {
            waiting.leave();
        }
    }

    @Override
    public void wakeup() {
        mailbox.wakeup();
    }

    @Override
    public void close() {
        closed = true;
    }

    Mailbox<CmEvent> mailbox() {
        return mailbox;
    }

    void checkOwner(String what) {
        Thread known = owner;
        if (known != null && known != Thread.currentThread()) {
            host.network().record(Violation.Kind.NOT_OWNER, what + " by " + Thread.currentThread() + ", not " + known);
        }
    }
}
