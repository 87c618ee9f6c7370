/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import com.github.fppt.jedismock.RedisServer;
import java.io.IOException;

/** A small server of Redis' protocol, made for tests. */
final class RedisMock {
    private RedisMock() { }

    /**
     * Serves until the process is ended.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException {
        Servers.announce(RedisServer.newRedisServer(0, Servers.anyPort().getAddress()).start().getBindPort());
    }
}
