/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Jetty as it is without settings, embedded. Each request is answered with {@link Content#SMALL} bytes. */
final class JettyServer {
    private JettyServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        Server server = new Server(Servers.anyPort());
        byte[] body = Content.bytes(Content.SMALL);
        server.setHandler(new Handler.Abstract.NonBlocking() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
                response.write(true, ByteBuffer.wrap(body), callback);
                return true;
            }
        });
        server.start();
        Servers.announce(((ServerConnector) server.getConnectors()[0]).getLocalPort());
        server.join();
    }
}
