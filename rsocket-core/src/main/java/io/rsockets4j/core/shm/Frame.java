/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One message on the control socket of a session: length (4 bytes, of what follows), type (1 byte), payload. Numbers
 * are big-endian, texts are UTF-8 behind a length byte. Version 2 of the protocol.
 */
final class Frame {
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int REFUSED = 3;
    static final int RING = 4;
    static final int SLOTS = 6;
    static final int SLOTS_MAPPED = 7;
    static final int SLOTS_REFUSED = 8;

    static final int MAX_BYTES = 1024;
    static final long MAGIC = 0x52534F434B34_4A01L; // "RSOCK4J", 1
    static final int VERSION = 2;

    private static final String SEPARATOR = ": "; // behind the reason of a refusal

    private Frame() { }

    /**
     * The initiator's first frame.
     *
     * @param minVersion least protocol version it speaks
     * @param maxVersion greatest protocol version it speaks
     * @param features bits for later; unknown ones are ignored
     * @param namespace its network namespace
     * @param ringBytes room of every ring
     * @param sharedName the session's file
     * @param slotsName the first slot file
     * @param bellsName the initiator's bells
     */
    record ShmHello(int minVersion, int maxVersion, int features, long namespace, int ringBytes, String sharedName,
            String slotsName, String bellsName) { }

    /**
     * The acceptor's answer.
     *
     * @param version the protocol version that both speak from now on
     * @param bellsName the acceptor's bells
     */
    record Welcome(int version, String bellsName) { }

    static ByteBuffer hello(ShmHello hello) {
        ByteBuffer frame = begin(HELLO).putLong(MAGIC);
        frame.putShort((short) hello.minVersion()).putShort((short) hello.maxVersion()).putInt(hello.features());
        frame.putLong(hello.namespace()).putInt(hello.ringBytes());
        putText(frame, hello.sharedName());
        putText(frame, hello.slotsName());
        putText(frame, hello.bellsName());
        return end(frame);
    }

    /** Reads a HELLO; of one that offers other versions alone, the versions, as the rest may mean anything. */
    static ShmHello readHello(ByteBuffer payload) throws IOException {
        try {
            requireMagic(payload);
            int min = Short.toUnsignedInt(payload.getShort());
            int max = Short.toUnsignedInt(payload.getShort());
            if (min > VERSION || max < VERSION) {
                return new ShmHello(min, max, 0, 0, 0, "", "", "");
            }
            return new ShmHello(min, max, payload.getInt(), payload.getLong(), payload.getInt(), getText(payload),
                    getText(payload), getText(payload));
        } catch (BufferUnderflowException e) {
            throw new IOException("a HELLO ends too early", e);
        }
    }

    static ByteBuffer welcome(Welcome welcome) {
        ByteBuffer frame = begin(WELCOME).putLong(MAGIC).putShort((short) welcome.version());
        putText(frame, welcome.bellsName());
        return end(frame);
    }

    static Welcome readWelcome(ByteBuffer payload) throws IOException {
        try {
            requireMagic(payload);
            int version = Short.toUnsignedInt(payload.getShort());
            return new Welcome(version, version == VERSION ? getText(payload) : "");
        } catch (BufferUnderflowException e) {
            throw new IOException("a WELCOME ends too early", e);
        }
    }

    /** Asks the peer's service thread to look at the session; in direct memory, for all times. */
    static ByteBuffer ring() {
        ByteBuffer frame = end(begin(RING));
        return ByteBuffer.allocateDirect(frame.remaining()).put(frame).flip();
    }

    static ByteBuffer refused(String reason) {
        ByteBuffer frame = begin(REFUSED);
        putText(frame, reason);
        return end(frame);
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

    /** The text that tells a peer why, for example {@code 24 version: versions 2 to 3 do not include 1}. */
    static String whyRefused(IOException cause) {
        Reason reason = PathException.reasonOf(cause);
        return reason == Reason.FAILED ? String.valueOf(cause.getMessage()) : reason + SEPARATOR + cause.getMessage();
    }

    /** What such a text of the peer's means here: its reason if we know that too, and otherwise just a refusal. */
    static PathException refusal(String text) {
        Reason meant = Reason.REFUSED;
        for (Reason reason : Reason.values()) {
            if (!reason.isChoice() && text.startsWith(reason + SEPARATOR)) {
                meant = reason;
            }
        }
        return new PathException(meant, "refused by the peer: " + text);
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

    private static void putText(ByteBuffer frame, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, 255);
        frame.put((byte) length).put(bytes, 0, length);
    }
}
