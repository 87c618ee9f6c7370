/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** {@link HttpURLConnection}, which keeps its connections alive and runs on {@link java.net.Socket}. */
final class UrlConnectionClient {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int REPETITIONS = 200;

    private UrlConnectionClient() { }

    /**
     * Loads, sends, and compares.
     *
     * @param args the server's URI
     */
    public static void main(String[] args) throws IOException {
        for (int i = 0; i < REPETITIONS; i++) {
            load(args[0], i * i);
        }
        load(args[0], Content.LARGE);
        send(args[0], false);
        send(args[0], true);
    }

    private static void load(String server, int length) throws IOException {
        try (InputStream in = open(server + "/bytes/" + length).getInputStream()) {
            Content.check("/bytes", Content.digest(in), length);
        }
    }

    private static void send(String server, boolean chunked) throws IOException {
        HttpURLConnection connection = open(server + "/digest");
        connection.setDoOutput(true);
        if (chunked) {
            connection.setChunkedStreamingMode(0);
        } else {
            connection.setFixedLengthStreamingMode(Content.LARGE);
        }
        try (OutputStream out = connection.getOutputStream()) {
            out.write(Content.bytes(Content.LARGE));
        }
        try (InputStream in = connection.getInputStream()) {
            Content.check("/digest", new String(in.readAllBytes(), StandardCharsets.US_ASCII), Content.LARGE);
        }
    }

    private static HttpURLConnection open(String uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(uri).toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        return connection;
    }
}
