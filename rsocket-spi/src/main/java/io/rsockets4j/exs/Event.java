/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.core.fabric.SourceMemory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An operation that has ended. It does not change any more once an {@link EventQueue} has returned it. */
public final class Event {
    /** What the operation was. */
    public enum Kind {
        /** {@link ExtendedSocket#connect}. */
        CONNECT,
        /** {@link ExtendedListener#accept}. */
        ACCEPT,
        /** {@link ExtendedSocket#send}. */
        SEND,
        /** {@link ExtendedSocket#receive} and {@link ExtendedSocket#receiveAll}. */
        RECEIVE
    }

    final ByteBuffer data;
    final SourceMemory.Part part;
    final boolean waitAll;
    private final Kind kind;
    private final Closeable source;
    private final Object context;
    private final RegisteredMemory memory;
    private ExtendedSocket accepted;
    private int bytes;
    private IOException failure;

    Event(Kind kind, Closeable source, Object context) {
        this(kind, source, context, null, 0, 0, false);
    }

    /** Memory, if there is any, belongs to the operation until it has {@link #ended}. */
    Event(Kind kind, Closeable source, Object context, RegisteredMemory memory, int offset, int length,
            boolean waitAll) {
        this.kind = kind;
        this.source = source;
        this.context = context;
        this.memory = memory;
        data = memory == null ? null : memory.lend(offset, length);
        part = memory == null ? null : memory.part(offset);
        this.waitAll = waitAll;
    }

    /** Ends the operation: its memory is the program's again. */
    Event ended(int transferred, ExtendedSocket socket, IOException cause) {
        bytes = transferred;
        accepted = socket;
        failure = cause;
        if (memory != null) {
            memory.release();
        }
        return this;
    }

    /**
     * What the operation was.
     *
     * @return its kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Where it was started.
     *
     * @return the {@link ExtendedSocket}, or for an accept the {@link ExtendedListener}
     */
    public Closeable source() {
        return source;
    }

    /**
     * What the program gave with the operation.
     *
     * @return any object or null
     */
    public Object context() {
        return context;
    }

    /**
     * Why the operation failed.
     *
     * @return null if it did not
     */
    public IOException failure() {
        return failure;
    }

    /**
     * How many bytes a send or receive moved, also one that failed.
     *
     * @return -1 for a receive after the last byte or message
     */
    public int bytes() {
        return bytes;
    }

    /**
     * The memory of a send or receive.
     *
     * @return as given, or null
     */
    public RegisteredMemory memory() {
        return memory;
    }

    /**
     * The new socket of an accept.
     *
     * @return connected; null if the accept failed, and for other operations
     */
    public ExtendedSocket accepted() {
        return accepted;
    }

    @Override
    public String toString() {
        return kind + (failure != null ? " failed: " + failure : " of " + bytes + " bytes");
    }
}
