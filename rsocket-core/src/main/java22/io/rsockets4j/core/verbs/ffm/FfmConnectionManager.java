/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An event channel (rdma_event_channel) and its identifiers. */
final class FfmConnectionManager implements ConnectionManager {
    private static final Log LOG = Log.of(FfmConnectionManager.class);
    private static final CmEvent.Type[] TYPES = CmEvent.Type.values();

    private final long channel;
    private final EventDescriptor descriptor;
    private final Map<Long, FfmCmId> ids = new ConcurrentHashMap<>(); // by pointer; until they are destroyed
    private final MemorySegment event = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG); // the owner's

    FfmConnectionManager() throws VerbsException {
        channel = Cm.CREATE_EVENT_CHANNEL.callPointer();
        try {
            descriptor = new EventDescriptor(NativeMemory.getInt(channel + CmDescriptor.CHANNEL_FD));
        } catch (VerbsException e) {
            Cm.DESTROY_EVENT_CHANNEL.callVoid(channel);
            throw e;
        }
    }

    @Override
    public CmId createId() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ValueLayout.JAVA_LONG);
            Cm.CREATE_ID.call(channel, id.address(), 0L, CmDescriptor.PORT_SPACE_TCP);
            return add(id.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    private FfmCmId add(long pointer) {
        FfmCmId id = new FfmCmId(ids, pointer);
        ids.put(pointer, id);
        return id;
    }

    @Override
    public CmEvent await(int timeoutMillis) throws VerbsException {
        if (!descriptor.await(timeoutMillis)) {
            return null;
        }
        try {
            Cm.GET_EVENT.call(channel, event.address());
        } catch (VerbsException e) {
            if (e.errno() == Errno.EAGAIN) { // it was about an identifier that is destroyed
                return null;
            }
            throw e;
        }
        long pointer = event.get(ValueLayout.JAVA_LONG, 0);
        CmEvent read = read(pointer);
        Cm.ACK_EVENT.call(pointer);
        return read;
    }

    /** Reads an event, or returns null if its identifier is not known. */
    private CmEvent read(long pointer) {
        int type = NativeMemory.getInt(pointer + CmDescriptor.EVENT_TYPE);
        int status = NativeMemory.getInt(pointer + CmDescriptor.EVENT_STATUS);
        long id = NativeMemory.getPointer(pointer + CmDescriptor.EVENT_ID);
        if (type < 0 || type >= TYPES.length) {
            return null; // of a newer kernel
        }
        if (TYPES[type] == CmEvent.Type.CONNECT_REQUEST) {
            FfmCmId listener = ids.get(NativeMemory.getPointer(pointer + CmDescriptor.EVENT_LISTENER));
            return new CmEvent(TYPES[type], add(id), listener, status, (byte) 0);
        }
        FfmCmId known = ids.get(id);
        return known == null ? null : new CmEvent(TYPES[type], known, null, status, said(TYPES[type], pointer));
    }

    /** What the peer's program said to a rejection. A device may add zeros behind it, or say nothing but zeros. */
    private static byte said(CmEvent.Type type, long event) {
        return type == CmEvent.Type.REJECTED && NativeMemory.getByte(event + CmDescriptor.EVENT_PRIVATE_BYTES) != 0
                ? NativeMemory.getByte(NativeMemory.getPointer(event + CmDescriptor.EVENT_PRIVATE)) : 0;
    }

    @Override
    public void wakeup() {
        descriptor.wakeup();
    }

    @Override
    public void close() {
        Cm.DESTROY_EVENT_CHANNEL.callVoid(channel);
        try {
            descriptor.close();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: a descriptor stays open", e);
        }
    }
}
