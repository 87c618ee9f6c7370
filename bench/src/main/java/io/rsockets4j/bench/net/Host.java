/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.net.InetAddress;

/** Where servers listen and clients connect to. */
public final class Host {
    /** The system property that names the address, if it is not to be that of the loopback interface. */
    public static final String PROPERTY = "bench.address";

    private Host() {}

    /**
     * Tells the address, of this host.
     *
     * @return never a wildcard
     * @throws IOException if the property names no address
     */
    static InetAddress address() throws IOException {
        String name = System.getProperty(PROPERTY);
        return name == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(name);
    }
}
