/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.io.IOException;

/** A message did not fit the buffer of its receive. It is lost, and no other is: the connection goes on. */
public final class MessageTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int messageBytes;
    private final int bufferBytes;

    MessageTooLongException(int messageBytes, int bufferBytes) {
        super("Message of " + messageBytes + " bytes, buffer of " + bufferBytes);
        this.messageBytes = messageBytes;
        this.bufferBytes = bufferBytes;
    }

    /**
     * How long the message was.
     *
     * @return in bytes
     */
    public int messageBytes() {
        return messageBytes;
    }

    /**
     * How long the receive's part of its memory was.
     *
     * @return in bytes
     */
    public int bufferBytes() {
        return bufferBytes;
    }
}
