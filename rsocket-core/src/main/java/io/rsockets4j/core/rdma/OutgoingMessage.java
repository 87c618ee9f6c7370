/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.nio.ByteBuffer;

/**
 * A message that is sent seldom, such as one that opens a connection, and writes itself when its turn has come: again
 * on another link, where keys are others. Under the send queue's lock.
 */
interface OutgoingMessage {
    /** Writes the message at the start of a buffer that begins with zeros. Returns its length. */
    int encode(ByteBuffer out);
}
