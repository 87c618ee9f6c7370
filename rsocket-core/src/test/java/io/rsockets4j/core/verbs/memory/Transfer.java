/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionStatus;
import io.rsockets4j.core.verbs.QueuePair;

/** What a device does with a work request, and what it checks. Under the network's lock. */
final class Transfer {
    private static final int LOCAL_LENGTH = 1;
    private static final int LOCAL_PROTECTION = 4;
    private static final int REMOTE_INVALID_REQUEST = 9;
    private static final int REMOTE_OPERATION = 11;

    private Transfer() { }

    /** Carries a request to the peer. Returns the status that it ends with. */
    static int carry(MemoryQueuePair from, WorkRequest request, MemoryQueuePair to) {
        if ((request.flags & QueuePair.INLINE) == 0 && request.length > 0
                && find(local(from, request.localKey), request) < 0) {
            violation(from, Violation.Kind.ACCESS, "cannot read " + request.length + " bytes of its own memory at "
                    + Long.toHexString(request.address) + " with key " + request.localKey);
            return LOCAL_PROTECTION;
        }
        return switch (request.operation) {
            case WorkRequest.SEND -> send(from, request, to);
            case WorkRequest.WRITE -> write(from, request, to);
            default -> writeWithImmediate(from, request, to);
        };
    }

    private static int send(MemoryQueuePair from, WorkRequest request, MemoryQueuePair to) {
        WorkRequest receive = to.receive();
        if (receive == null) {
            return notReady(from, "a send of " + request.length + " bytes", to);
        }
        if (request.length > receive.length) {
            violation(from, Violation.Kind.LENGTH, "sends " + request.length + " bytes to a receive of "
                    + receive.length);
            to.received(receive, LOCAL_LENGTH, 0, false, 0);
            return REMOTE_INVALID_REQUEST;
        }
        Region region = local(to, receive.localKey);
        int offset = find(region, receive);
        if (receive.length > 0 && offset < 0) {
            violation(to, Violation.Kind.ACCESS, "cannot write to its own memory at "
                    + Long.toHexString(receive.address));
            to.received(receive, LOCAL_PROTECTION, 0, false, 0);
            return REMOTE_OPERATION;
        }
        copy(from, request, region, offset);
        to.received(receive, CompletionStatus.SUCCESS, request.length, false, 0);
        return CompletionStatus.SUCCESS;
    }

    private static int write(MemoryQueuePair from, WorkRequest request, MemoryQueuePair to) {
        if (request.length == 0) {
            return CompletionStatus.SUCCESS; // nothing is looked up then
        }
        Region region = from.network().regions().remote(to.domain(), request.remoteKey);
        int offset = region == null ? -1 : region.offset(request.remoteAddress, request.length);
        if (offset < 0) {
            violation(from, Violation.Kind.ACCESS, "may not write " + request.length + " bytes at "
                    + Long.toHexString(request.remoteAddress) + " of " + to + " with key " + request.remoteKey);
            to.toError();
            return CompletionStatus.REMOTE_ACCESS;
        }
        copy(from, request, region, offset);
        return CompletionStatus.SUCCESS;
    }

    private static int writeWithImmediate(MemoryQueuePair from, WorkRequest request, MemoryQueuePair to) {
        WorkRequest receive = to.receive();
        if (receive == null) {
            return notReady(from, "a write with immediate of " + request.length + " bytes", to);
        }
        int status = write(from, request, to);
        if (status == CompletionStatus.SUCCESS) {
            to.received(receive, status, request.length, true, request.immediate);
        }
        return status;
    }

    private static int notReady(MemoryQueuePair from, String what, MemoryQueuePair to) {
        violation(from, Violation.Kind.RECEIVER_NOT_READY, what + " found no receive at " + to);
        return CompletionStatus.RNR_RETRIES_EXCEEDED;
    }

    private static void violation(MemoryQueuePair by, Violation.Kind kind, String what) {
        by.network().record(kind, by + ": " + what);
    }

    private static Region local(MemoryQueuePair queuePair, int key) {
        return queuePair.network().regions().local(queuePair.domain(), key);
    }

    private static int find(Region region, WorkRequest request) {
        return region == null ? -1 : region.offset(request.address, request.length);
    }

    private static void copy(MemoryQueuePair from, WorkRequest request, Region to, int offset) {
        if (request.length == 0) {
            return;
        }
        if ((request.flags & QueuePair.INLINE) != 0) {
            to.memory().put(offset, request.inlined, 0, request.length);
        } else {
            Region source = local(from, request.localKey);
            to.memory().put(offset, source.memory(), find(source, request), request.length);
        }
    }
}
