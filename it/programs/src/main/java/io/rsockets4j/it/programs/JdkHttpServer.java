/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** The JDK's own server. {@code GET /bytes/N} answers N bytes, {@code POST /digest} the digest of what was sent. */
final class JdkHttpServer {
    private static final String BYTES = "/bytes/";

    private JdkHttpServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args {@code tls} for HTTPS with the key store of the system properties
     */
    public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
        HttpServer server;
        if (args.length > 0) {
            HttpsServer https = HttpsServer.create(Servers.anyPort(), 0);
            https.setHttpsConfigurator(new HttpsConfigurator(SSLContext.getDefault()));
            server = https;
        } else {
            server = HttpServer.create(Servers.anyPort(), 0);
        }
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext(BYTES, exchange -> answer(exchange,
                Content.bytes(Integer.parseInt(exchange.getRequestURI().getPath().substring(BYTES.length())))));
        server.createContext("/digest", exchange -> answer(exchange,
                Content.digest(exchange.getRequestBody()).getBytes(StandardCharsets.US_ASCII)));
        server.start();
        Servers.announce(server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
