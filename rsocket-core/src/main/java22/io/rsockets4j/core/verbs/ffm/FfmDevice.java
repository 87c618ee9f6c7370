/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A device that librdmacm has opened (ibv_context); it keeps it open. */
final class FfmDevice implements VerbsDevice {
    private static final Map<Long, FfmDevice> DEVICES = new ConcurrentHashMap<>(); // by pointer

    private final long context;
    private final String name;
    private final boolean immediate;
    private final int maxCompletions;

    private FfmDevice(long context) throws VerbsException {
        this.context = context;
        long device = NativeMemory.getPointer(context + VerbsDescriptor.CONTEXT_DEVICE);
        name = NativeMemory.getString(device + VerbsDescriptor.DEVICE_NAME);
        immediate = NativeMemory.getInt(device + VerbsDescriptor.DEVICE_TRANSPORT) != VerbsDescriptor.TRANSPORT_IWARP;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(VerbsDescriptor.DEVICE_ATTR_BYTES, Long.BYTES);
            Verbs.QUERY_DEVICE.callErrno(context, attributes.address());
            maxCompletions = attributes.get(ValueLayout.JAVA_INT, VerbsDescriptor.DEVICE_ATTR_MAX_CQE);
        }
    }

    /** The device of a context. */
    static FfmDevice of(long context) throws VerbsException {
        FfmDevice known = DEVICES.get(context);
        if (known != null) {
            return known;
        }
        FfmDevice created = new FfmDevice(context);
        FfmDevice other = DEVICES.putIfAbsent(context, created);
        return other == null ? created : other;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean hasImmediate() {
        return immediate;
    }

    @Override
    public int maxCompletions() {
        return maxCompletions;
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws VerbsException {
        return new FfmProtectionDomain(Verbs.ALLOC_PD.callPointer(context));
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        return new FfmCompletionChannel(Verbs.CREATE_COMP_CHANNEL.callPointer(context));
    }

    @Override
    public CompletionQueue createCompletionQueue(CompletionChannel channel, int entries) throws VerbsException {
        FfmCompletionChannel events = (FfmCompletionChannel) channel;
        long queue = Verbs.CREATE_CQ.callPointer(context, entries, 0L, events.pointer(), 0);
        FfmCompletionQueue created = new FfmCompletionQueue(queue, context);
        events.add(created);
        return created;
    }

    @Override
    public String toString() {
        return name;
    }
}
