/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.Words;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * A requested connect, as it lies in the connect ring; see {@link SessionDescriptor}.
 *
 * @param slot the slot that the initiator has prepared
 * @param generation which connection in that slot
 * @param listener index of the acceptor's listener
 * @param listenerGeneration which listener at that index
 * @param initiator the connecting side's address and port
 * @param acceptor the address and port that was connected to
 * @param ringBytes0 capacity of ring 0, or 0 for all that the slot has
 * @param ringBytes1 capacity of ring 1, or 0
 */
record ConnectEntry(int slot, long generation, int listener, long listenerGeneration, InetSocketAddress initiator,
        InetSocketAddress acceptor, int ringBytes0, int ringBytes1) {
    private static final int SLOT = 0;
    private static final int GENERATION = 8;
    private static final int LISTENER = 16;
    private static final int LISTENER_GENERATION = 24;
    private static final int INITIATOR = 32;
    private static final int ACCEPTOR = 64;

    private static final int RING_BYTES_0 = 96;
    private static final int RING_BYTES_1 = 100;

    private static final int PORT = 0;
    private static final int SCOPE = 4;
    private static final int LENGTH = 8;
    private static final int ADDRESS = 12;

    InetSocketAddress local(int side) {
        return side == SessionDescriptor.INITIATOR ? initiator : acceptor;
    }

    InetSocketAddress remote(int side) {
        return side == SessionDescriptor.INITIATOR ? acceptor : initiator;
    }

    /** The capacity of a ring in a slot whose rings have {@code slotBytes} each. */
    int ringBytes(int ring, int slotBytes) {
        int bytes = ring == 0 ? ringBytes0 : ringBytes1;
        return bytes == 0 ? slotBytes : bytes;
    }

    void write(Words memory, int offset) {
        memory.putOpaque(offset + SLOT, slot);
        memory.putOpaque(offset + GENERATION, generation);
        memory.putOpaque(offset + LISTENER, listener);
        memory.putOpaque(offset + LISTENER_GENERATION, listenerGeneration);
        putAddress(memory, offset + INITIATOR, initiator);
        putAddress(memory, offset + ACCEPTOR, acceptor);
        memory.putInt(offset + RING_BYTES_0, ringBytes0);
        memory.putInt(offset + RING_BYTES_1, ringBytes1);
    }

    /**
     * Reads what a peer wrote.
     *
     * @throws IllegalArgumentException if it makes no sense
     */
    static ConnectEntry read(Words memory, int offset) {
        long slot = memory.getOpaque(offset + SLOT);
        long listener = memory.getOpaque(offset + LISTENER);
        if (slot < 0 || slot >= SessionDescriptor.MAX_SLOTS || listener < 0
                || listener >= SessionDescriptor.MAX_LISTENERS) {
            throw new IllegalArgumentException("connect to slot=" + slot + " listener=" + listener);
        }
        return new ConnectEntry((int) slot, memory.getOpaque(offset + GENERATION), (int) listener,
                memory.getOpaque(offset + LISTENER_GENERATION), getAddress(memory, offset + INITIATOR),
                getAddress(memory, offset + ACCEPTOR), memory.getInt(offset + RING_BYTES_0),
                memory.getInt(offset + RING_BYTES_1));
    }

    private static void putAddress(Words memory, int offset, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        int scope = address.getAddress() instanceof Inet6Address v6 ? v6.getScopeId() : 0;
        memory.putInt(offset + PORT, address.getPort());
        memory.putInt(offset + SCOPE, scope);
        memory.putInt(offset + LENGTH, bytes.length);
        memory.putBytes(offset + ADDRESS, bytes);
    }

    private static InetSocketAddress getAddress(Words memory, int offset) {
        int length = memory.getInt(offset + LENGTH);
        if (length != 4 && length != 16) {
            throw new IllegalArgumentException("an address of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        memory.getBytes(offset + ADDRESS, bytes);
        int scope = memory.getInt(offset + SCOPE);
        try {
            InetAddress address = length == 16 && scope > 0
                    ? Inet6Address.getByAddress(null, bytes, scope) : InetAddress.getByAddress(bytes);
            return new InetSocketAddress(address, memory.getInt(offset + PORT));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an impossible address", e);
        }
    }
}
