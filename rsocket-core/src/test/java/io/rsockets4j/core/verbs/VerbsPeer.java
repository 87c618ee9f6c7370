/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** One side of a connection: an identifier, its queue pair, registered memory and a completion queue. */
final class VerbsPeer {
    static final int SENDS = 16;
    static final int RECEIVES = 8;
    static final int MEMORY_BYTES = 1 << 16;

    /** A completion that was polled. */
    record Completion(long workRequestId, int status, boolean hasImmediate, int immediate, int byteLength) { }

    final CmId id;
    final ProtectionDomain domain;
    final CompletionChannel channel;
    final CompletionQueue completions;
    final QueuePair queuePair;
    final ByteBuffer memory;
    final MemoryRegion region;
    private int taken;
    private int polled;

    VerbsPeer(CmId id, int inlineBytes) throws IOException {
        this.id = id;
        VerbsDevice device = id.device();
        domain = device.allocateProtectionDomain();
        channel = device.createCompletionChannel();
        completions = device.createCompletionQueue(channel, 2 * (SENDS + RECEIVES));
        queuePair = id.createQueuePair(domain, new QueuePairOptions(completions, SENDS, RECEIVES, inlineBytes));
        memory = domain.allocate(MEMORY_BYTES);
        region = domain.register(memory, true);
    }

    void receive(long workRequestId, int offset, int length) throws VerbsException {
        queuePair.postReceive(workRequestId, region.address() + offset, length, region.localKey());
    }

    void send(long workRequestId, int offset, int length, int flags) throws VerbsException {
        queuePair.postSend(workRequestId, region.address() + offset, length, region.localKey(), flags);
    }

    void write(long workRequestId, int offset, int length, VerbsPeer to, int toOffset, int flags)
            throws VerbsException {
        queuePair.postWrite(workRequestId, region.address() + offset, length, region.localKey(),
                to.region.address() + toOffset, to.region.remoteKey(), flags);
    }

    void writeWithImmediate(long workRequestId, int offset, int length, VerbsPeer to, int toOffset, int flags,
            int immediate) throws VerbsException {
        queuePair.postWriteWithImmediate(workRequestId, region.address() + offset, length, region.localKey(),
                to.region.address() + toOffset, to.region.remoteKey(), flags, immediate);
    }

    /** The next completion, or null if none comes in time. */
    Completion poll(int timeoutMillis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (taken == polled) {
            polled = completions.poll();
            taken = 0;
            if (polled == 0 && System.nanoTime() - deadline > 0) {
                return null;
            }
        }
        int i = taken++;
        boolean immediate = completions.status(i) == CompletionStatus.SUCCESS && completions.hasImmediate(i);
        return new Completion(completions.workRequestId(i), completions.status(i), immediate,
                immediate ? completions.immediate(i) : 0, completions.byteLength(i));
    }

    /** The next completion, which must come. */
    Completion next() throws IOException {
        Completion completion = poll(20_000);
        assertThat(completion).as("a completion").isNotNull();
        return completion;
    }

    /** The next completion, which must be of this request, and with this status. */
    Completion expect(long workRequestId, int status) throws IOException {
        Completion completion = next();
        assertThat(completion.workRequestId()).as("work request of %s", completion).isEqualTo(workRequestId);
        assertThat(CompletionStatus.name(completion.status())).isEqualTo(CompletionStatus.name(status));
        return completion;
    }

    void fill(int offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            memory.put(offset + i, (byte) (seed + i * 31));
        }
    }

    void assertFilled(int offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            assertThat(memory.get(offset + i)).as("byte %s", i).isEqualTo((byte) (seed + i * 31));
        }
    }
}
