/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.net.InetSocketAddress;

/** Something that carries messages of one length, to be measured. */
interface Transport {
    /** Listens at an address; its ends expect messages of so many bytes. */
    Acceptor listen(InetSocketAddress address, int bytes) throws Throwable;

    /** Connects to an address. */
    End connect(InetSocketAddress address, int bytes) throws Throwable;

    /** A listener. */
    interface Acceptor extends AutoCloseable {
        /** Waits for a connection. */
        End accept() throws Throwable;

        @Override
        void close();
    }

    /** One end of a connection. */
    interface End {
        /** Sends a message. */
        void send() throws Throwable;

        /** Waits for a message; false at the end of the stream. */
        boolean receive() throws Throwable;

        /** Hangs up. */
        void close() throws Throwable;
    }
}
