/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ServerSession;
import java.nio.ByteBuffer;

/** The server's side of a {@link Service}: reads a request, then answers with the stamp at its end. */
final class ServiceSession implements ServerSession {
    private final ByteBuffer request;
    private final ByteBuffer answer;

    ServiceSession(Api api) {
        request = api.allocate(Service.REQUEST_BYTES);
        answer = api.allocate(Service.ANSWER_BYTES);
    }

    @Override
    public ByteBuffer target() {
        return request;
    }

    @Override
    public ByteBuffer received() {
        if (request.hasRemaining()) {
            return NOTHING;
        }
        request.clear();
        answer.clear();
        return answer.putLong(Service.ANSWER_BYTES - Long.BYTES, request.getLong(Service.REQUEST_BYTES - Long.BYTES));
    }
}
