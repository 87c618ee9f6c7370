/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import java.net.InetSocketAddress;

/** A client and a server that echoes, over one of the ways in which Java programs open sockets. */
public interface Sample {

    /**
     * Starts a server on all addresses and returns at once.
     *
     * @param port the port to listen on, 0 for any free one
     * @return the running server
     * @throws Exception if the port cannot be bound
     */
    RunningServer serve(int port) throws Exception;

    /**
     * Connects, sends each message, reads each echo, and disconnects.
     *
     * @param server where the server listens
     * @param messages what to send, one after the other
     * @return what came back, in the same order
     * @throws Exception if the server cannot be reached or hangs up early
     */
    String[] call(InetSocketAddress server, String... messages) throws Exception;
}
