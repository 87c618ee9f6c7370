/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@link HttpClient} with HTTP/1.1, and with HTTP/2 where the server lets it upgrade. */
final class JdkHttpClient {
    private static final int REQUESTS = 16;
    private static final int MIDDLE = 100_000;

    private final HttpClient client;
    private final HttpClient.Version version;
    private final String server;

    private JdkHttpClient(HttpClient.Version version, String server) {
        this.version = version;
        this.server = server;
        client = HttpClient.newBuilder().version(version).connectTimeout(Duration.ofSeconds(10)).build();
    }

    /**
     * Loads, sends, and compares.
     *
     * @param args the server's URI; then {@code h2} if an upgrade is to succeed; then {@code file} if it has that too
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> options = List.of(args).subList(1, args.length);
        for (HttpClient.Version version : HttpClient.Version.values()) {
            JdkHttpClient client = new JdkHttpClient(version, args[0]);
            client.load(options.contains("h2") ? version : HttpClient.Version.HTTP_1_1);
            client.send();
            client.sendMany();
            if (options.contains("file")) {
                client.load("/file", Content.LARGE);
            }
        }
    }

    private void load(HttpClient.Version expected) throws IOException, InterruptedException {
        HttpClient.Version got = load("/bytes/" + MIDDLE, MIDDLE); // the first one may upgrade
        if (got != expected) {
            throw new IllegalStateException("asked for " + version + ", expected " + expected + ", got " + got);
        }
        load("/bytes/0", 0);
        load("/bytes/1", 1);
        load("/bytes/" + Content.LARGE, Content.LARGE);
    }

    private HttpClient.Version load(String path, int length) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = client.send(request(path).build(), BodyHandlers.ofByteArray());
        Content.check(path + " by " + version, Content.digest(response.body()), length);
        return response.version();
    }

    private void send() throws IOException, InterruptedException {
        byte[] body = Content.bytes(Content.LARGE);
        for (BodyPublisher publisher : List.of(BodyPublishers.ofByteArray(body),
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))) {
            HttpRequest request = request("/digest").POST(publisher).build();
            Content.check("/digest by " + version, client.send(request, BodyHandlers.ofString()).body(), body.length);
        }
    }

    private void sendMany() {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        byte[] body = Content.bytes(MIDDLE);
        for (int i = 0; i < REQUESTS; i++) {
            HttpRequest request = request("/digest").POST(BodyPublishers.ofByteArray(body)).build();
            answers.add(client.sendAsync(request, BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            Content.check("/digest at once by " + version, answer.join().body(), MIDDLE);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path)).timeout(Duration.ofSeconds(60));
    }
}
