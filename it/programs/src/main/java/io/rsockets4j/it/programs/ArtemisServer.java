/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** A broker, Artemis, embedded, that keeps its messages in memory. */
final class ArtemisServer {
    private ArtemisServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args the port
     */
    public static void main(String[] args) throws Exception {
        new EmbeddedActiveMQ().setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + args[0]))
                .start();
        Servers.announce(Integer.parseInt(args[0]));
    }
}
