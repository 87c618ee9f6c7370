/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

/** How large the two queues of each link are, and so the memory of their messages. */
final class QueueSizes {
    /** Slots of the send queue. */
    static final int SENDS = 256;

    /** How many receives are posted at any time: what the peer may send ahead. */
    static final int RECEIVES = 256;

    /** The completions that a link can have outstanding. */
    static final int COMPLETIONS = SENDS + RECEIVES;

    private QueueSizes() { }
}
