/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import javax.net.SocketFactory;

/** Clients of web servers. Their operation is a small GET on a connection that stays open. */
final class WebClients {
    private static final int LENGTH = 1024;
    private static final String PATH = "/bytes/" + LENGTH;
    private static final byte[] REQUEST =
            ("GET " + PATH + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII);

    private WebClients() { }

    /** A plain socket, blocking, and as little besides as there can be. */
    static Client socket(SocketFactory sockets, int port) throws IOException {
        Socket socket = sockets.createSocket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        OutputStream out = socket.getOutputStream();
        byte[] body = new byte[LENGTH];
        return Client.repeating(() -> {
            out.write(REQUEST);
            expect(readHead(in));
            in.readFully(body);
            return body;
        });
    }

    /** Reads up to the empty line, and gives the body's length. */
    private static int readHead(InputStream in) throws IOException {
        int length = -1;
        StringBuilder line = new StringBuilder();
        while (true) {
            int read = in.read();
            if (read == -1) {
                throw new EOFException("the server closed the connection");
            }
            if (read == '\n') {
                if (line.length() == 0) {
                    return length;
                }
                String header = "content-length:";
                if (line.toString().regionMatches(true, 0, header, 0, header.length())) {
                    length = Integer.parseInt(line.substring(header.length()).trim());
                }
                line.setLength(0);
            } else if (read != '\r') {
                line.append((char) read);
            }
        }
    }

    /** {@link HttpURLConnection}, which keeps its connections by itself. */
    static Client urlConnection(String server) throws IOException {
        URI uri = URI.create(server + PATH);
        return Client.repeating(() -> {
            try (InputStream in = uri.toURL().openStream()) {
                return expect(in.readAllBytes().length);
            }
        });
    }

    /** {@link HttpClient}, one for each thread. */
    static Client httpClient(HttpClient.Version version, String server) {
        HttpClient client = HttpClient.newBuilder().version(version).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + PATH)).build();
        return Client.repeating(() -> expect(client.send(request, BodyHandlers.ofByteArray()).body().length));
    }

    private static int expect(int length) throws IOException {
        if (length != LENGTH) {
            throw new IOException("expected " + LENGTH + " bytes, got " + length);
        }
        return length;
    }
}
