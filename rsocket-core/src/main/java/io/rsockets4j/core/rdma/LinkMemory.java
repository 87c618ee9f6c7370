/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a {@link SessionLink} registers for itself: a protection domain, and the buffers of its messages. The domain is
 * its own: a key works by this link's queue pair alone, and by none once the link has ended. Thread-safe.
 */
final class LinkMemory {
    private static final Log LOG = Log.of(LinkMemory.class);

    private final String deviceName;
    private final PinBudget budget;
    private final ProtectionDomain domain;
    private final MemoryRegion messageRegion;
    private final MessageBuffers messages;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Registers what each link needs.
     *
     * @param device of the link
     * @param budget of the process
     * @throws IOException if there is no memory, or not so much may be pinned; nothing stays registered
     */
    LinkMemory(VerbsDevice device, PinBudget budget) throws IOException {
        deviceName = device.name();
        this.budget = budget;
        if (!budget.take(MessageBuffers.BYTES, PinBudget.Use.CONNECTIONS)) {
            throw budget.usedUp(PinBudget.Use.CONNECTIONS);
        }
        try {
            domain = device.allocateProtectionDomain();
        } catch (IOException e) {
            budget.giveBack(MessageBuffers.BYTES);
            throw e;
        }
        try {
            ByteBuffer memory = domain.allocate(MessageBuffers.BYTES);
            messageRegion = domain.register(memory, false);
            messages = new MessageBuffers(memory, messageRegion.address(), messageRegion.localKey());
        } catch (IOException e) {
            giveUp(domain::deallocate);
            budget.giveBack(MessageBuffers.BYTES);
            throw explained(e, MessageBuffers.BYTES);
        }
    }

    /** What a failed registration means, where the system's limit is the cause. */
    static IOException explained(IOException e, long bytes) {
        return e instanceof VerbsException failed && failed.isOutOfMemory()
                ? new PathException(Reason.MEMLOCK, MemoryLimit.explain(bytes), e) : e;
    }

    ProtectionDomain domain() {
        return domain;
    }

    MessageBuffers messages() {
        return messages;
    }

    /** How many bytes the messages take, for reports. */
    long bytes() {
        return messageRegion.length();
    }

    /** Gives up everything: the queue pair has gone, and nothing else is registered in the domain. Idempotent. */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        giveUp(() -> domain.deregister(messageRegion));
        budget.giveBack(MessageBuffers.BYTES);
        giveUp(domain::deallocate);
    }

    /** Something to give up. */
    interface Resource {
        void release() throws IOException;
    }

    /** Gives something up. What the device does not release stays with it, and the rest is given up all the same. */
    void giveUp(Resource resource) {
        try {
            resource.release();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + deviceName + " keeps memory: " + e.getMessage());
        }
    }
}
