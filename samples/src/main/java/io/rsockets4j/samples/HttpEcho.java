/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Echo over HTTP: the JDK's {@link HttpServer} and {@link HttpClient}, with connections kept alive. */
public final class HttpEcho implements Sample {

    private static final String PATH = "/echo";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Creates the sample. */
    public HttpEcho() {}

    /**
     * Runs the sample.
     *
     * @param args {@code server [PORT]}, {@code client [HOST:]PORT [TEXT...]}, or nothing for both
     */
    public static void main(String[] args) {
        Launcher.run(new HttpEcho(), args);
    }

    @Override
    public RunningServer serve(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        ExecutorService workers = Executors.newCachedThreadPool();
        server.setExecutor(workers);
        server.createContext(PATH, HttpEcho::echo);
        server.start();
        return new RunningServer(server.getAddress().getPort(), () -> {
            server.stop(0);
            workers.shutdown();
        });
    }

    private static void echo(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public String[] call(InetSocketAddress server, String... messages) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build();
        URI target = URI.create("http://" + server.getHostString() + ':' + server.getPort() + PATH);
        String[] echoes = new String[messages.length];
        for (int i = 0; i < messages.length; i++) {
            HttpRequest request = HttpRequest.newBuilder(target)
                    .timeout(TIMEOUT)
                    .POST(BodyPublishers.ofString(messages[i]))
                    .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("the server answered " + response.statusCode());
            }
            echoes[i] = response.body();
        }
        return echoes;
    }
}
