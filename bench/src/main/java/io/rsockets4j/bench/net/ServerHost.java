/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.net.InetAddress;

/** Where servers listen and clients connect to. */
public final class ServerHost {
    /** The system property that names the address, if it is not to be that of the loopback interface. */
    public static final String PROPERTY = "bench.address";

    /** Connections that may wait to be accepted: as many as any work opens in a row. */
    static final int BACKLOG = 1024;

    private ServerHost() {}

    /**
     * Tells the address, of this host and never a wildcard.
     *
     * @throws IOException if the property names no address
     */
    public static InetAddress address() throws IOException {
        String name = System.getProperty(PROPERTY);
        return name == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(name);
    }
}
