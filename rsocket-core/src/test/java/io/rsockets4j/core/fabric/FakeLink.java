/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A link that becomes ready after a number of looks, and remembers how it was closed. */
public final class FakeLink extends Link {
    private final String path;
    private int awaited;
    private long looksUntilReady = Long.MAX_VALUE;
    private int looks;
    private Object completions;
    private int completionPolls;
    private Boolean abortedOnClose;
    private long bytesSent;
    private long bytesReceived;
    private long stalls;
    private long directBytesSent;
    private long directBytesReceived;
    private long messagesSent;

    FakeLink() {
        this("fake", new InetSocketAddress("127.0.0.1", 2));
    }

    /**
     * A link of some path.
     *
     * @param path its name
     * @param remote whom it leads to
     */
    public FakeLink(String path, InetSocketAddress remote) {
        super(new InetSocketAddress("127.0.0.1", 1), remote);
        this.path = path;
    }

    void readyAfter(int op, long looksBefore) {
        awaited = op;
        looksUntilReady = looksBefore;
        looks = 0;
    }

    int looks() {
        return looks;
    }

    /**
     * Has a completion queue.
     *
     * @param queue that others may have as well, or null
     */
    public void tellBy(Object queue) {
        completions = queue;
    }

    /**
     * How often the completion queue was polled through this link.
     *
     * @return since the beginning
     */
    public int completionPolls() {
        return completionPolls;
    }

    @Override
    public Object completions() {
        return completions;
    }

    @Override
    public void poll() {
        completionPolls++;
    }

    /**
     * Goes on counting.
     *
     * @param sent bytes so far
     * @param received bytes so far
     * @param stalled how often so far
     */
    public void counted(long sent, long received, long stalled) {
        bytesSent = sent;
        bytesReceived = received;
        stalls = stalled;
    }

    /**
     * Goes on counting.
     *
     * @param sent bytes so far that went straight into buffers
     * @param received bytes so far that came straight into buffers
     */
    public void countedDirect(long sent, long received) {
        directBytesSent = sent;
        directBytesReceived = received;
    }

    @Override
    public long directBytesSent() {
        return directBytesSent;
    }

    @Override
    public long directBytesReceived() {
        return directBytesReceived;
    }

    /**
     * Goes on counting what it sends through a network.
     *
     * @param messages so far
     */
    public void posted(long messages) {
        messagesSent = messages;
    }

    @Override
    public long messagesSent() {
        return messagesSent;
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    @Override
    public long bytesReceived() {
        return bytesReceived;
    }

    @Override
    public long stalls() {
        return stalls;
    }

    /** Null while open, else whether it was closed with a reset. */
    Boolean abortedOnClose() {
        return abortedOnClose;
    }

    @Override
    public boolean isKnownReady(int op) {
        return isReady(op);
    }

    @Override
    public boolean isReady(int op) {
        return op == awaited && looks++ >= looksUntilReady;
    }

    @Override
    public void close(boolean abort) {
        abortedOnClose = abort;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public int receive(ByteBuffer dst) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int send(ByteBuffer src) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int available() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean spin(int op) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean sleep(int op, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wake() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void disarm(Waiter waiter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean beginShutdownOutput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdownOutput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdownInput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void endInput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void beginClose() {
        throw new UnsupportedOperationException();
    }
}
