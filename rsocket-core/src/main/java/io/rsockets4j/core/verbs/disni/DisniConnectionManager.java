/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An rdma_event_channel, and the identifiers that live on it. DiSNI drops the status of an event, so it is always 0
 * here.
 */
final class DisniConnectionManager implements ConnectionManager {
    private static final String GET_EVENT = "rdma_get_cm_event";
    private static final String CREATE_ID = "rdma_create_id";
    private static final short RDMA_PS_TCP = 0x0106;
    private static final int CLIENT = 8; // two pointers: the listening identifier, then the one concerned
    private static final int POINTERS_BYTES = 16;
    private static final CmEvent.Type[] TYPES = CmEvent.Type.values();

    private final DisniDevices devices;
    private final NativeDispatcher disni;
    private final long pointer;
    private final SlicedWait events = new SlicedWait(GET_EVENT, this::poll);
    private final ByteBuffer pointers = DirectMemory.structs(POINTERS_BYTES);
    private final long pointersAddress = DirectMemory.address(pointers);
    private final Map<Long, DisniCmId> ids = new ConcurrentHashMap<>(); // by pointer; until they are destroyed
    private final ReentrantLock lock = new ReentrantLock(); // held while an identifier is created, or this closed
    private boolean closed; // guarded by lock
    private int event; // what poll has got; by the owner

    private DisniConnectionManager(DisniDevices devices, long pointer) {
        this.devices = devices;
        this.disni = devices.disni();
        this.pointer = pointer;
    }

    /**
     * Opens an event channel.
     *
     * @param devices what DiSNI has met so far
     * @throws IOException if there is no RDMA device, or the kernel refuses
     */
    static DisniConnectionManager open(DisniDevices devices) throws IOException {
        try {
            return new DisniConnectionManager(devices, devices.disni()._createEventChannel());
        } catch (IOException e) {
            throw DisniErrors.of("rdma_create_event_channel", e);
        }
    }

    @Override
    public CmId createId() throws IOException {
        lock.lock();
        try {
            checkOpen(CREATE_ID);
            return add(disni._createId(pointer, RDMA_PS_TCP));
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniErrors.of(CREATE_ID, e);
        } finally {
            lock.unlock();
        }
    }

    private DisniCmId add(long id) {
        DisniCmId added = new DisniCmId(ids, devices, id);
        ids.put(id, added);
        return added;
    }

    @Override
    public CmEvent await(int timeoutMillis) throws IOException {
        checkOwner();
        long start = System.nanoTime();
        int left = timeoutMillis;
        while (events.await(left)) {
            CmEvent known = event();
            if (known != null) {
                return known;
            }
            if (timeoutMillis > 0) {
                left = (int) Math.max(0, timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            }
        }
        return null;
    }

    private boolean poll(int millis) {
        event = disni._getCmEvent(pointer, pointersAddress, pointersAddress + CLIENT, millis);
        return event >= 0;
    }

    /** Null for an event that means nothing to us. */
    private CmEvent event() {
        if (event >= TYPES.length) {
            return null;
        }
        CmEvent.Type type = TYPES[event];
        long id = pointers.getLong(CLIENT);
        if (type != CmEvent.Type.CONNECT_REQUEST) {
            DisniCmId known = ids.get(id);
            return known == null ? null : new CmEvent(type, known, null, 0, (byte) 0);
        }
        DisniCmId listener = ids.get(pointers.getLong(0));
        DisniCmId request = add(id);
        if (listener == null) {
            request.destroy();
            return null;
        }
        return new CmEvent(type, request, listener, 0, (byte) 0);
    }

    @Override
    public void wakeup() {
        events.wakeup();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                disni._destroyEventChannel(pointer);
            }
        } finally {
            lock.unlock();
        }
    }

    private void checkOwner() throws VerbsException {
        lock.lock();
        try {
            checkOpen(GET_EVENT);
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen(String verb) throws VerbsException {
        if (closed) {
            throw new VerbsException(verb, 0, "the connection manager has been closed");
        }
    }
}
