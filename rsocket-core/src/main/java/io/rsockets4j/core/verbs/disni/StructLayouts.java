/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.VerbsStructs;
import io.rsockets4j.core.verbs.VerbsUnavailableException;

/** The structs on 64-bit Linux that only DiSNI needs, sizes and offsets in bytes, and whether it agrees on them all. */
final class StructLayouts {
    /** struct sockaddr_in. */
    static final class SocketAddress {
        static final int FAMILY = 0;
        static final int PORT = 2;
        static final int ADDRESS = 4;
        static final int BYTES = 16;

        private SocketAddress() { }
    }

    private StructLayouts() { }

    /**
     * Compares with what the native library was compiled with, as far as it tells.
     *
     * @throws VerbsUnavailableException if it differs: writing on would corrupt memory
     */
    static void check(NativeDispatcher disni) throws VerbsUnavailableException {
        expect("sizeof(ibv_sge)", VerbsStructs.SGE_BYTES, disni._getIbvSgeSize());
        expect("sizeof(ibv_recv_wr)", VerbsStructs.RECEIVE_BYTES, disni._getIbvRecvWRSize());
        expect("sizeof(ibv_wc)", VerbsStructs.COMPLETION_BYTES, disni._getIbvWCSize());
        expect("sizeof(sockaddr_in)", SocketAddress.BYTES, disni._getSockAddrInSize());
        expect("offsetof(ibv_send_wr, remote_addr)", VerbsStructs.SEND_REMOTE_ADDRESS, disni._getRemoteAddressOffset());
        expect("offsetof(ibv_send_wr, rkey)", VerbsStructs.SEND_REMOTE_KEY, disni._getRKeyOffset());
    }

    private static void expect(String what, int expected, int actual) throws VerbsUnavailableException {
        if (actual != expected) {
            throw new VerbsUnavailableException("libdisni.so was built for another platform: " + what + " is " + actual
                    + " there, not " + expected + "; only 64-bit Linux is supported");
        }
    }
}
