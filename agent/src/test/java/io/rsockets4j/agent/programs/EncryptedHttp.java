/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import javax.net.ssl.SSLContext;

/** The JDK's HTTPS server, asked by both of the JDK's clients; the keys are named by system properties. */
public final class EncryptedHttp {
    private static final int SIZE = 300_000;

    private EncryptedHttp() { }

    public static void main(String[] args) throws Exception {
        byte[] page = new byte[SIZE];
        Arrays.fill(page, (byte) 17);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(SSLContext.getDefault()));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        URI uri = URI.create("https://localhost:" + server.getAddress().getPort() + "/");
        try (InputStream in = uri.toURL().openStream()) {
            check(page, in.readAllBytes());
        }
        check(page, HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(),
                HttpResponse.BodyHandlers.ofByteArray()).body());
        server.stop(0);
    }

    private static void check(byte[] expected, byte[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("the page came back with " + actual.length + " bytes");
        }
    }
}
