/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Call;
import io.rsockets4j.bench.net.Caller;
import io.rsockets4j.bench.net.ClientLink;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * One connection of a {@link Service}'s client: knows what to send and when, checks the answers, and keeps the
 * latencies. Either a thread of its own drives it by {@link #run}, or it is a {@link Call} and told by {@link #release}
 * that a request is due.
 */
final class ServiceClient implements Call {
    private static final int REQUEST_STAMP = Service.REQUEST_BYTES - Long.BYTES;
    private static final int ANSWER_STAMP = Service.ANSWER_BYTES - Long.BYTES;

    private final int index;
    private final int connections;
    private final ByteBuffer request;
    private final ByteBuffer answer;
    private final Tally tally = new Tally();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    /** Requests that are due and not answered: whoever raises it from 0, or leaves some, sends the next. */
    private final AtomicInteger waiting = new AtomicInteger();

    private Course course;
    private long count;
    private long dueNs;

    ServiceClient(Api api, int index, int connections) {
        this.index = index;
        this.connections = connections;
        request = api.allocate(Service.REQUEST_BYTES);
        answer = api.allocate(Service.ANSWER_BYTES);
    }

    /** Tells the course, once all are connected and before anyone drives this. */
    void begin(Course agreed) {
        course = agreed;
        dueNs = course.isClosed() ? course.startNs() : course.dueNs(index);
        endIfOver();
    }

    /** Exchanges requests and answers until the course is over, by blocking calls. */
    void run(ClientLink link) {
        try {
            while (!course.isOver(dueNs)) {
                Course.sleepUntil(dueNs);
                link.write(request());
                do {
                    if (link.read(target()) < 0) {
                        throw new EOFException("the peer closed before it answered");
                    }
                } while (!isAnswered());
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    /** Takes note that a request is due, and sends it unless an earlier one is out: then its answer will see to it. */
    void release(Caller caller) {
        if (waiting.getAndIncrement() == 0) {
            caller.send();
        }
    }

    @Override
    public ByteBuffer request() {
        if (!course.isClosed()) {
            tally.recordLate(course, dueNs, System.nanoTime() - dueNs);
        }
        request.clear();
        return request.putLong(REQUEST_STAMP, stamp());
    }

    @Override
    public ByteBuffer target() {
        return answer;
    }

    @Override
    public boolean isAnswered() {
        if (answer.hasRemaining()) {
            return false;
        }
        long now = System.nanoTime();
        answer.clear();
        if (answer.getLong(ANSWER_STAMP) != stamp()) {
            throw new UncheckedIOException(
                    new CorruptionException("sent request " + stamp() + ", got " + answer.getLong(ANSWER_STAMP)));
        }
        tally.record(course, dueNs, now - dueNs);
        count++;
        dueNs = course.isClosed() ? now : course.dueNs(index + count * connections);
        endIfOver();
        return true;
    }

    @Override
    public boolean isNextDue() {
        return course.isClosed() ? !course.isOver(dueNs) : waiting.decrementAndGet() > 0;
    }

    @Override
    public void fail(Throwable failure) {
        end.completeExceptionally(failure);
    }

    /** Completes with the last answer, or the failure. */
    CompletableFuture<Void> end() {
        return end;
    }

    /** Adds the latencies, once at the end. */
    void addTo(Histogram first, Histogram steady, Histogram late) {
        tally.addTo(first, steady, late);
    }

    private long stamp() {
        return ((long) index << 40) + count;
    }

    private void endIfOver() {
        if (course.isOver(dueNs)) {
            end.complete(null);
        }
    }
}
