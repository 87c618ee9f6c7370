/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;

/** The JDK's HTTP server, asked by both of the JDK's clients. */
public final class HttpPrograms {
    private static final int SIZE = 1 << 20;

    private HttpPrograms() { }

    public static void main(String[] args) throws Exception {
        byte[] page = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            page[i] = (byte) (i * 7 >> 2);
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        URI uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
        check(page, viaUrl(uri.toURL()));
        check(page, viaClient(uri));
        server.stop(0);
    }

    private static byte[] viaUrl(URL url) throws Exception {
        try (InputStream in = url.openStream()) {
            return in.readAllBytes();
        }
    }

    private static byte[] viaClient(URI uri) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(),
                HttpResponse.BodyHandlers.ofByteArray()).body();
    }

    private static void check(byte[] expected, byte[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("the page came back with " + actual.length + " bytes");
        }
    }
}
