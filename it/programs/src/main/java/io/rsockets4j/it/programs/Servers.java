/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** What the servers have in common. */
final class Servers {
    private Servers() { }

    /** Where to listen. */
    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Tells the client's starter where to connect to. The server ends when its process is told to. */
    static void announce(int port) {
        System.out.println("listening on port " + port);
    }
}
