/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.SocketAddressDescriptor;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;

/** A communication identifier (rdma_cm_id). */
final class FfmCmId implements CmId {
    private static final Log LOG = Log.of(FfmCmId.class);
    private static final byte RETRIES = 6; // on Soft-RoCE 7 is without end
    private static final byte RECEIVER_NOT_READY_RETRIES = 6; // 7 is without end
    private static final int EBADF = 9;
    private static final byte[] ANY_IPV6 = new byte[16];

    private final Map<Long, FfmCmId> ids; // of the channel, by pointer, with this one until it is destroyed
    private final long pointer;
    private volatile FfmQueuePair queuePair;
    private volatile boolean destroyed;

    FfmCmId(Map<Long, FfmCmId> ids, long pointer) {
        this.ids = ids;
        this.pointer = pointer;
    }

    /** The pointer, while there is something behind it. */
    private long live(String verb) throws VerbsException {
        if (destroyed) {
            throw new VerbsException(verb, EBADF, "the identifier is destroyed");
        }
        return pointer;
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, int timeoutMillis)
            throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long from = source == null ? 0 : encode(source, arena);
            Cm.RESOLVE_ADDR.call(live("rdma_resolve_addr"), from, encode(destination, arena), timeoutMillis);
        }
    }

    private static long encode(InetSocketAddress address, Arena arena) {
        MemorySegment target = arena.allocate(SocketAddressDescriptor.STORAGE_BYTES, Long.BYTES);
        SocketAddressDescriptor.encode(address, target.asByteBuffer());
        return target.address();
    }

    @Override
    public void resolveRoute(int timeoutMillis) throws VerbsException {
        Cm.RESOLVE_ROUTE.call(live("rdma_resolve_route"), timeoutMillis);
    }

    @Override
    public void bind(InetSocketAddress address, boolean ipv4Only) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            InetSocketAddress local = address;
            if (address.getAddress().isAnyLocalAddress() && !ipv4Only) {
                local = new InetSocketAddress(anyOfBothFamilies(), address.getPort());
                Cm.SET_OPTION.call(live("rdma_set_option"), CmDescriptor.OPTION_LEVEL_ID,
                        CmDescriptor.OPTION_ADDRESS_FAMILY_ONLY, arena.allocateFrom(JAVA_INT, 0).address(),
                        (long) Integer.BYTES);
            } else if (address.getAddress().isAnyLocalAddress()) {
                local = new InetSocketAddress(Inet4Address.getByAddress(new byte[4]), address.getPort());
            }
            Cm.BIND_ADDR.call(live("rdma_bind_addr"), encode(local, arena));
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only for wrong lengths
        }
    }

    private static InetAddress anyOfBothFamilies() throws UnknownHostException {
        return InetAddress.getByAddress(ANY_IPV6);
    }

    @Override
    public void listen(int backlog) throws VerbsException {
        Cm.LISTEN.call(live("rdma_listen"), backlog);
    }

    @Override
    public VerbsDevice device() throws VerbsException {
        return FfmDevice.of(context());
    }

    private long context() throws VerbsException {
        long context = NativeMemory.getPointer(live("rdma_cm_id") + CmDescriptor.ID_VERBS);
        if (context == 0) {
            throw new VerbsException("rdma_cm_id", 0, "no device is known yet");
        }
        return context;
    }

    @Override
    public QueuePair createQueuePair(ProtectionDomain domain, QueuePairOptions options) throws VerbsException {
        long completions = ((FfmCompletionQueue) options.completions()).pointer();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(VerbsDescriptor.QP_INIT_ATTR_BYTES, Long.BYTES);
            attributes.set(JAVA_LONG, VerbsDescriptor.QP_INIT_SEND_CQ, completions);
            attributes.set(JAVA_LONG, VerbsDescriptor.QP_INIT_RECV_CQ, completions);
            attributes.set(JAVA_INT, VerbsDescriptor.QP_INIT_MAX_SEND_WR, options.sendRequests());
            attributes.set(JAVA_INT, VerbsDescriptor.QP_INIT_MAX_RECV_WR, options.receiveRequests());
            attributes.set(JAVA_INT, VerbsDescriptor.QP_INIT_MAX_SEND_SGE, 1);
            attributes.set(JAVA_INT, VerbsDescriptor.QP_INIT_MAX_RECV_SGE, 1);
            attributes.set(JAVA_INT, VerbsDescriptor.QP_INIT_MAX_INLINE, options.inlineBytes());
            attributes.set(JAVA_INT, VerbsDescriptor.QP_INIT_TYPE, VerbsDescriptor.QP_TYPE_RC);
            Cm.CREATE_QP.call(live("rdma_create_qp"), ((FfmProtectionDomain) domain).pointer(), attributes.address());
            queuePair = new FfmQueuePair(NativeMemory.getPointer(pointer + CmDescriptor.ID_QP), context(),
                    attributes.get(JAVA_INT, VerbsDescriptor.QP_INIT_MAX_INLINE));
            return queuePair;
        }
    }

    @Override
    public void connect() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            Cm.CONNECT.call(live("rdma_connect"), parameters(arena));
        }
    }

    @Override
    public void accept() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            Cm.ACCEPT.call(live("rdma_accept"), parameters(arena));
        }
    }

    /** One read each way, although none is used: with iWARP, connecting itself may take one. */
    private static long parameters(Arena arena) {
        MemorySegment parameters = arena.allocate(CmDescriptor.CONN_PARAM_BYTES, Long.BYTES);
        parameters.set(JAVA_BYTE, CmDescriptor.CONN_PARAM_RESPONDER_RESOURCES, (byte) 1);
        parameters.set(JAVA_BYTE, CmDescriptor.CONN_PARAM_INITIATOR_DEPTH, (byte) 1);
        parameters.set(JAVA_BYTE, CmDescriptor.CONN_PARAM_FLOW_CONTROL, (byte) 1);
        parameters.set(JAVA_BYTE, CmDescriptor.CONN_PARAM_RETRY_COUNT, RETRIES);
        parameters.set(JAVA_BYTE, CmDescriptor.CONN_PARAM_RNR_RETRY_COUNT, RECEIVER_NOT_READY_RETRIES);
        return parameters.address();
    }

    @Override
    public void reject(byte why) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment said = arena.allocate(JAVA_BYTE);
            said.set(JAVA_BYTE, 0, why);
            Cm.REJECT.call(live("rdma_reject"), said.address(), (byte) said.byteSize());
        }
    }

    @Override
    public void disconnect() throws VerbsException {
        Cm.DISCONNECT.call(live("rdma_disconnect"));
    }

    @Override
    public InetSocketAddress localAddress() {
        return address(CmDescriptor.ID_SOURCE);
    }

    @Override
    public InetSocketAddress peerAddress() {
        return address(CmDescriptor.ID_DESTINATION);
    }

    private InetSocketAddress address(long offset) {
        return destroyed ? null : SocketAddressDescriptor.decode(
                NativeMemory.buffer(pointer + offset, SocketAddressDescriptor.STORAGE_BYTES));
    }

    @Override
    public void destroy() {
        if (destroyed) {
            return;
        }
        destroyed = true;
        ids.remove(pointer); // a new one may get the same
        if (queuePair != null) {
            queuePair.destroyed();
            Cm.DESTROY_QP.callVoid(pointer);
        }
        try {
            Cm.DESTROY_ID.call(pointer);
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: an RDMA identifier stays: " + e.getMessage(), e);
        }
    }
}
