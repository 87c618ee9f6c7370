/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.SocketAddressDescriptor;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongBinaryOperator;

/** An rdma_cm_id. One lock keeps it from being destroyed while native code uses it, which nothing below checks. */
final class DisniCmId implements CmId {
    private static final Log LOG = Log.of(DisniCmId.class);
    private static final int NONE = -1; // what DiSNI returns for a null pointer
    private static final int RELIABLE_CONNECTED = 2; // IBV_QPT_RC
    private static final int RETRIES = 6; // on Soft-RoCE 7 is without end
    private static final int RECEIVER_NOT_READY_RETRIES = 6; // 7 is without end

    private final Map<Long, DisniCmId> ids; // of the channel, by pointer, with this one until it is destroyed
    private final DisniDevices devices;
    private final NativeDispatcher disni;
    private final long pointer;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean destroyed; // guarded by lock
    private DisniQueuePair queuePair; // guarded by lock

    DisniCmId(Map<Long, DisniCmId> ids, DisniDevices devices, long pointer) {
        this.ids = ids;
        this.devices = devices;
        this.disni = devices.disni();
        this.pointer = pointer;
    }

    /** A native function that uses this identifier. */
    private interface Call<T> {
        T run() throws IOException;
    }

    private <T> T call(String verb, Call<T> call) throws VerbsException {
        lock.lock();
        try {
            if (destroyed) {
                throw DisniErrors.destroyed(verb);
            }
            return call.run();
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniErrors.of(verb, e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, int timeoutMillis)
            throws IOException {
        String verb = "rdma_resolve_addr";
        ByteBuffer to = SocketAddresses.encode(verb, destination);
        ByteBuffer from = source == null ? null : SocketAddresses.encode(verb, source);
        call(verb, () -> {
            if (from != null) { // DiSNI passes no source on, but a bound identifier has one
                bind(from);
            }
            disni._resolveAddr(pointer, 0, DirectMemory.address(to), timeoutMillis);
            Reference.reachabilityFence(to);
            return null;
        });
    }

    @Override
    public void resolveRoute(int timeoutMillis) throws IOException {
        call("rdma_resolve_route", () -> {
            disni._resolveRoute(pointer, timeoutMillis);
            return null;
        });
    }

    /** {@inheritDoc} Without IPv6, a wildcard means IPv4 alone in any case: peers that come by IPv6 are refused. */
    @Override
    public void bind(InetSocketAddress address, boolean ipv4Only) throws IOException {
        String verb = "rdma_bind_addr";
        ByteBuffer at = SocketAddresses.encode(verb, address);
        call(verb, () -> {
            bind(at);
            return null;
        });
    }

    private void bind(ByteBuffer address) throws IOException {
        disni._bindAddr(pointer, DirectMemory.address(address));
        Reference.reachabilityFence(address);
    }

    @Override
    public void listen(int backlog) throws IOException {
        call("rdma_listen", () -> {
            disni._listen(pointer, backlog);
            return null;
        });
    }

    @Override
    public VerbsDevice device() throws IOException {
        String verb = "rdma_cm_id.verbs";
        return call(verb, () -> devices.device(context(verb)));
    }

    /** Under the lock. DiSNI's connect and accept crash without a device. */
    private long context(String verb) throws IOException {
        long context = disni._getContext(pointer);
        if (context == NONE) {
            throw new VerbsException(verb, 0, "the identifier has no device yet: its address is not resolved");
        }
        return context;
    }

    @Override
    public QueuePair createQueuePair(ProtectionDomain domain, QueuePairOptions options) throws IOException {
        String verb = "rdma_create_qp";
        return call(verb, () -> {
            context(verb);
            if (queuePair != null) {
                throw new VerbsException(verb, 0, "the identifier has a queue pair already");
            }
            queuePair = create((DisniProtectionDomain) domain, options);
            return queuePair;
        });
    }

    /** DiSNI does not tell how much was granted inline: all that was asked for, or the device refuses. */
    private DisniQueuePair create(DisniProtectionDomain domain, QueuePairOptions options) throws IOException {
        try {
            return create(domain, options, options.inlineBytes());
        } catch (IOException e) {
            if (options.inlineBytes() == 0) {
                throw e;
            }
            return create(domain, options, 0);
        }
    }

    private DisniQueuePair create(DisniProtectionDomain domain, QueuePairOptions options, int inlineBytes)
            throws IOException {
        long completions = ((DisniCompletionQueue) options.completions()).pointer();
        return new DisniQueuePair(disni, disni._createQP(pointer, domain.pointer(), completions, completions,
                RELIABLE_CONNECTED, options.sendRequests(), options.receiveRequests(), inlineBytes), inlineBytes);
    }

    @Override
    public void connect() throws IOException {
        String verb = "rdma_connect";
        call(verb, () -> {
            context(verb);
            disni._connect(pointer, RETRIES, RECEIVER_NOT_READY_RETRIES, 0, (byte) 0);
            return null;
        });
    }

    @Override
    public void accept() throws IOException {
        String verb = "rdma_accept";
        call(verb, () -> {
            context(verb);
            disni._accept(pointer, RETRIES, RECEIVER_NOT_READY_RETRIES);
            return null;
        });
    }

    /** {@inheritDoc} DiSNI cannot: {@link #destroy} does. */
    @Override
    public void reject(byte why) throws IOException {
        call("rdma_reject", () -> null);
    }

    @Override
    public void disconnect() throws IOException {
        String verb = "rdma_disconnect";
        call(verb, () -> {
            int returned = disni._disconnect(pointer);
            if (returned != 0) {
                throw DisniErrors.unexplained(verb, returned);
            }
            return null;
        });
    }

    @Override
    public InetSocketAddress localAddress() {
        return address("rdma_get_local_addr", disni::_getSrcAddr);
    }

    @Override
    public InetSocketAddress peerAddress() {
        return address("rdma_get_peer_addr", disni::_getDstAddr);
    }

    /** Takes a function that copies an address of an identifier to a place, and returns 0. */
    private InetSocketAddress address(String verb, LongBinaryOperator function) {
        ByteBuffer struct = DirectMemory.structs(SocketAddressDescriptor.IPV4_STRUCT_BYTES);
        try {
            return call(verb, () -> function.applyAsLong(pointer, DirectMemory.address(struct)) == 0
                    ? SocketAddresses.decode(struct) : null);
        } catch (VerbsException e) {
            return null; // destroyed: not known any more
        }
    }

    @Override
    public void destroy() {
        lock.lock();
        try {
            if (destroyed) {
                return;
            }
            destroyed = true;
            if (queuePair != null) {
                queuePair.close();
                disni._destroyQP(pointer);
            }
            ids.remove(pointer); // a new one may get the same
            int returned = disni._destroyCmId(pointer);
            if (returned != 0) {
                LOG.log(System.Logger.Level.DEBUG, "rsockets4j: rdma_destroy_id returned " + returned);
            }
        } finally {
            lock.unlock();
        }
    }
}
