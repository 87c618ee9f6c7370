/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * One message on the control socket of a session: length (4 bytes, of what follows), type (1 byte), payload. Numbers
 * are big-endian, texts are UTF-8 behind a length byte. Version 1 of the protocol.
 */
final class Frame {
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int REFUSED = 3;
    static final int LANE = 4;
    static final int READY = 5;
    static final int SLOTS = 6;
    static final int SLOTS_MAPPED = 7;
    static final int SLOTS_REFUSED = 8;

    static final int MAX_BYTES = 1024;
    static final long MAGIC = 0x52534F434B34_4A01L; // "RSOCK4J", 1
    static final int VERSION = 1;

    private Frame() { }

    /**
     * The initiator's first frame.
     *
     * @param minVersion least protocol version it speaks
     * @param maxVersion greatest protocol version it speaks
     * @param features bits for later; unknown ones are ignored
     * @param session random id of the session
     * @param namespace its network namespace
     * @param ringBytes room of every ring
     * @param sharedName the session's file
     * @param slotsName the first slot file
     */
    record Hello(int minVersion, int maxVersion, int features, UUID session, long namespace, int ringBytes,
            String sharedName, String slotsName) { }

    /** The first frame on a lane's socket. */
    record LaneHello(UUID session, int index) { }

    static ByteBuffer hello(Hello hello) {
        ByteBuffer frame = begin(HELLO).putLong(MAGIC);
        frame.putShort((short) hello.minVersion()).putShort((short) hello.maxVersion()).putInt(hello.features());
        putId(frame, hello.session());
        frame.putLong(hello.namespace()).putInt(hello.ringBytes());
        putText(frame, hello.sharedName());
        putText(frame, hello.slotsName());
        return end(frame);
    }

    static Hello readHello(ByteBuffer payload) throws IOException {
        try {
            requireMagic(payload);
            return new Hello(Short.toUnsignedInt(payload.getShort()), Short.toUnsignedInt(payload.getShort()),
                    payload.getInt(), getId(payload), payload.getLong(), payload.getInt(), getText(payload),
                    getText(payload));
        } catch (BufferUnderflowException e) {
            throw new IOException("a HELLO ends too early", e);
        }
    }

    static ByteBuffer welcome(int version) {
        return end(begin(WELCOME).putLong(MAGIC).putShort((short) version));
    }

    static int readWelcome(ByteBuffer payload) throws IOException {
        try {
            requireMagic(payload);
            return Short.toUnsignedInt(payload.getShort());
        } catch (BufferUnderflowException e) {
            throw new IOException("a WELCOME ends too early", e);
        }
    }

    static ByteBuffer refused(String reason) {
        ByteBuffer frame = begin(REFUSED);
        putText(frame, reason);
        return end(frame);
    }

    static ByteBuffer lane(LaneHello lane) {
        ByteBuffer frame = begin(LANE).putLong(MAGIC);
        putId(frame, lane.session());
        return end(frame.put((byte) lane.index()));
    }

    static LaneHello readLane(ByteBuffer payload) throws IOException {
        try {
            requireMagic(payload);
            return new LaneHello(getId(payload), Byte.toUnsignedInt(payload.get()));
        } catch (BufferUnderflowException e) {
            throw new IOException("a LANE ends too early", e);
        }
    }

    static ByteBuffer ready() {
        return end(begin(READY));
    }

    static ByteBuffer slots(int index, String name) {
        ByteBuffer frame = begin(SLOTS).putShort((short) index);
        putText(frame, name);
        return end(frame);
    }

    static ByteBuffer slotsMapped(int index) {
        return end(begin(SLOTS_MAPPED).putShort((short) index));
    }

    static ByteBuffer slotsRefused(String reason) {
        ByteBuffer frame = begin(SLOTS_REFUSED);
        putText(frame, reason);
        return end(frame);
    }

    static int getIndex(ByteBuffer payload) throws IOException {
        if (payload.remaining() < Short.BYTES) {
            throw new IOException("a frame ends too early");
        }
        return Short.toUnsignedInt(payload.getShort());
    }

    static String getText(ByteBuffer payload) throws IOException {
        if (!payload.hasRemaining()) {
            throw new IOException("a frame ends before its text");
        }
        byte[] bytes = new byte[Byte.toUnsignedInt(payload.get())];
        if (bytes.length > payload.remaining()) {
            throw new IOException("a text of " + bytes.length + " bytes is longer than its frame");
        }
        payload.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static ByteBuffer begin(int type) {
        return ByteBuffer.allocate(MAX_BYTES).putInt(0).put((byte) type);
    }

    private static ByteBuffer end(ByteBuffer frame) {
        frame.putInt(0, frame.position() - Integer.BYTES);
        return frame.flip();
    }

    private static void requireMagic(ByteBuffer payload) throws IOException {
        long magic = payload.getLong();
        if (magic != MAGIC) {
            throw new IOException("magic " + Long.toHexString(magic) + " is not that of rsockets4j");
        }
    }

    private static void putId(ByteBuffer frame, UUID id) {
        frame.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    private static UUID getId(ByteBuffer payload) {
        return new UUID(payload.getLong(), payload.getLong());
    }

    private static void putText(ByteBuffer frame, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, 255);
        frame.put((byte) length).put(bytes, 0, length);
    }
}
