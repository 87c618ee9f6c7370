/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;

/** Sends objects both ways, on virtual threads where there are any. */
public final class ObjectStreams {
    private static final int ROUNDS = 100;

    private ObjectStreams() { }

    public static void main(String[] args) throws Exception {
        try (ServerSocket listener = new ServerSocket(0)) {
            FutureTask<Integer> server = new FutureTask<>(() -> serve(listener));
            start(server);
            FutureTask<Integer> client = new FutureTask<>(() -> call(listener.getLocalPort()));
            start(client);
            if (client.get() != ROUNDS || server.get() != ROUNDS) {
                throw new AssertionError(client.get() + " " + server.get());
            }
        }
    }

    private static int serve(ServerSocket listener) throws Exception {
        try (Socket socket = listener.accept();
                ObjectOutputStream out = new ObjectOutputStream(socket.getOutputStream());
                ObjectInputStream in = new ObjectInputStream(socket.getInputStream())) {
            for (int i = 0; i < ROUNDS; i++) {
                out.writeObject(List.of(in.readObject(), i));
            }
            return ROUNDS;
        }
    }

    private static int call(int port) throws Exception {
        try (Socket socket = new Socket("localhost", port);
                ObjectOutputStream out = new ObjectOutputStream(socket.getOutputStream());
                ObjectInputStream in = new ObjectInputStream(socket.getInputStream())) {
            int right = 0;
            for (int i = 0; i < ROUNDS; i++) {
                Object question = Map.of("round", i, "text", "x".repeat(i * 100));
                out.writeObject(question);
                right += in.readObject().equals(List.of(question, i)) ? 1 : 0;
            }
            return right;
        }
    }

    private static void start(Runnable body) throws ReflectiveOperationException {
        if (Runtime.version().feature() >= 21) {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
        } else {
            new Thread(body).start();
        }
    }
}
