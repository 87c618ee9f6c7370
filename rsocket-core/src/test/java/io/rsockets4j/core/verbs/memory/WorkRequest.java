/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

/** A work request, used again and again. Belongs to the poster until published, then to the network. */
final class WorkRequest {
    static final int SEND = 0;
    static final int WRITE = 1;
    static final int WRITE_WITH_IMMEDIATE = 2;
    static final int RECEIVE = 3;

    final byte[] inlined;
    long sequence;
    int operation;
    long id;
    long address;
    int length;
    int localKey;
    int flags;
    long remoteAddress;
    int remoteKey;
    int immediate;
    long dueNanos; // when it may travel
    boolean retried;

    WorkRequest(int inlineBytes) {
        inlined = new byte[inlineBytes];
    }
}
