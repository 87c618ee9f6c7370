/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.MESSAGE_BYTES;
import static io.rsockets4j.core.rdma.MessageDescriptor.NUMBER;

import io.rsockets4j.core.direct.Advert;
import java.nio.ByteBuffer;

/**
 * Writes messages into the buffers of a send queue, each at an offset, and tells how long they are. What a buffer had
 * before is overwritten. For one thread at a time.
 */
final class MessageWriter {
    private static final int TYPE_SHIFT = 24; // the first byte of four

    private final ByteBuffer messages;

    /** Writes into buffers that lie one behind the other. */
    MessageWriter(ByteBuffer messages) {
        this.messages = messages;
    }

    private void begin(int at, byte type) {
        messages.putInt(at, type << TYPE_SHIFT);
    }

    private void begin(int at, byte type, int number) {
        begin(at, type);
        messages.putInt(at + NUMBER, number);
    }

    /** A message that knows how to write itself. */
    int any(int at, OutgoingMessage message) {
        messages.putLong(at, 0);
        return message.encode(messages.slice(at, MESSAGE_BYTES));
    }

    /** What follows a write where that carries no immediate data. */
    int data(int at, int immediate, int length) {
        begin(at, MessageDescriptor.DATA);
        messages.putInt(at + MessageDescriptor.DATA_IMMEDIATE, immediate);
        messages.putInt(at + MessageDescriptor.DATA_LENGTH, length);
        return MessageDescriptor.DATA_BYTES;
    }

    /** The state of a connection. */
    int state(int at, int number, int flags, long bytesRead, long receives, long bytesSent) {
        begin(at, MessageDescriptor.STATE, number);
        messages.put(at + MessageDescriptor.STATE_FLAGS, (byte) flags);
        messages.putLong(at + MessageDescriptor.STATE_BYTES_READ, bytesRead);
        messages.putLong(at + MessageDescriptor.STATE_RECEIVES, receives);
        messages.putLong(at + MessageDescriptor.STATE_BYTES_SENT, bytesSent);
        return MessageDescriptor.STATE_BYTES;
    }

    /** A buffer that the peer may write to. */
    int advert(int at, int number, long bytesRead, long receives, Advert advert) {
        begin(at, MessageDescriptor.ADVERT, number);
        messages.putLong(at + MessageDescriptor.ADVERT_BYTES_READ, bytesRead);
        messages.putLong(at + MessageDescriptor.ADVERT_RECEIVES, receives);
        messages.put(at + MessageDescriptor.ADVERT_FLAGS, advert.waitAll() ? MessageDescriptor.WAIT_ALL : 0);
        messages.putLong(at + MessageDescriptor.ADVERT_ADDRESS, advert.address());
        messages.putInt(at + MessageDescriptor.ADVERT_LENGTH, advert.length());
        messages.putInt(at + MessageDescriptor.ADVERT_KEY, advert.key());
        messages.putLong(at + MessageDescriptor.ADVERT_RING_BYTES, advert.ringBytes());
        return MessageDescriptor.ADVERT_BYTES;
    }

    /** A withdrawal, or its confirmation. */
    int withdrawal(int at, int number, byte type) {
        begin(at, type, number);
        return MessageDescriptor.WITHDRAW_BYTES;
    }

    /** The wish for a larger ring. */
    int more(int at, int number, int maxBytes) {
        begin(at, MessageDescriptor.MORE, number);
        messages.putInt(at + MessageDescriptor.MORE_MAX_BYTES, maxBytes);
        return MessageDescriptor.MORE_BYTES;
    }

    /** The offer of a larger ring. */
    int offer(int at, int number, RemoteRing ring) {
        begin(at, MessageDescriptor.RING, number);
        ring.encode(messages.slice(at, MESSAGE_BYTES), MessageDescriptor.RING_ADDRESS);
        return MessageDescriptor.RING_BYTES;
    }

    /** Bytes go to the larger ring from now on. */
    int move(int at, int number, long bytesSent) {
        begin(at, MessageDescriptor.MOVE, number);
        messages.putLong(at + MessageDescriptor.MOVE_FROM, bytesSent);
        return MessageDescriptor.MOVE_BYTES;
    }

    /** Receives that the peer may use. */
    int grant(int at, long receives) {
        begin(at, MessageDescriptor.GRANT, 0);
        messages.putLong(at + MessageDescriptor.GRANT_RECEIVES, receives);
        return MessageDescriptor.GRANT_BYTES;
    }

    /** This link is used from now on; so many connections are told of. */
    int switchOver(int at, int connections) {
        begin(at, MessageDescriptor.SWITCH);
        messages.putInt(at + MessageDescriptor.SWITCH_CONNECTIONS, connections);
        return MessageDescriptor.SWITCH_BYTES;
    }
}
