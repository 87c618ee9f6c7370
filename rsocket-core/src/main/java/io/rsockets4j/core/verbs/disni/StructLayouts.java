/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.VerbsUnavailableException;

/** The structs of verbs.h and netinet/in.h on 64-bit Linux, as far as they are used: sizes and offsets in bytes. */
final class StructLayouts {
    /** struct ibv_sge. */
    static final class Sge {
        static final int ADDRESS = 0;
        static final int LENGTH = 8;
        static final int KEY = 12;
        static final int BYTES = 16;

        private Sge() { }
    }

    /** struct ibv_send_wr. Its end, for other kinds of work requests, has grown over time; unused, it stays zero. */
    static final class SendRequest {
        static final int ID = 0;
        static final int NEXT = 8;
        static final int SGE_LIST = 16;
        static final int SGE_COUNT = 24;
        static final int OPCODE = 28;
        static final int FLAGS = 32;
        static final int IMMEDIATE = 36;
        static final int REMOTE_ADDRESS = 40;
        static final int REMOTE_KEY = 48;
        static final int BYTES = 128;

        private SendRequest() { }
    }

    /** struct ibv_recv_wr. */
    static final class ReceiveRequest {
        static final int ID = 0;
        static final int NEXT = 8;
        static final int SGE_LIST = 16;
        static final int SGE_COUNT = 24;
        static final int BYTES = 32;

        private ReceiveRequest() { }
    }

    /** struct ibv_wc. */
    static final class Completion {
        static final int ID = 0;
        static final int STATUS = 8;
        static final int OPCODE = 12;
        static final int VENDOR_ERROR = 16;
        static final int BYTE_LENGTH = 20;
        static final int IMMEDIATE = 24;
        static final int BYTES = 48;

        private Completion() { }
    }

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
        expect("sizeof(ibv_sge)", Sge.BYTES, disni._getIbvSgeSize());
        expect("sizeof(ibv_recv_wr)", ReceiveRequest.BYTES, disni._getIbvRecvWRSize());
        expect("sizeof(ibv_wc)", Completion.BYTES, disni._getIbvWCSize());
        expect("sizeof(sockaddr_in)", SocketAddress.BYTES, disni._getSockAddrInSize());
        expect("offsetof(ibv_send_wr, remote_addr)", SendRequest.REMOTE_ADDRESS, disni._getRemoteAddressOffset());
        expect("offsetof(ibv_send_wr, rkey)", SendRequest.REMOTE_KEY, disni._getRKeyOffset());
    }

    private static void expect(String what, int expected, int actual) throws VerbsUnavailableException {
        if (actual != expected) {
            throw new VerbsUnavailableException("libdisni.so was built for another platform: " + what + " is " + actual
                    + " there, not " + expected + "; only 64-bit Linux is supported");
        }
    }
}
