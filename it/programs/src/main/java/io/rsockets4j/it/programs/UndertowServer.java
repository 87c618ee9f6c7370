/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import io.undertow.Undertow;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Undertow as it is without settings, embedded. Each request is answered with {@link Content#SMALL} bytes. */
final class UndertowServer {
    private UndertowServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args none
     */
    public static void main(String[] args) {
        byte[] body = Content.bytes(Content.SMALL);
        Undertow server = Undertow.builder()
                .addHttpListener(0, Servers.anyPort().getHostString())
                .setHandler(exchange -> exchange.getResponseSender().send(ByteBuffer.wrap(body)))
                .build();
        server.start();
        Servers.announce(((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort());
    }
}
