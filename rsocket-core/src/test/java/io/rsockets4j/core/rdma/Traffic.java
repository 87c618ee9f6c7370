/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A stream whose every byte tells its position, written and read in pieces of random sizes. */
final class Traffic {
    private static final int LIMIT_SECONDS = 40;

    private Traffic() { }

    private static byte at(long position, int seed) {
        long mixed = (position + seed) * 0x9E37_79B9_7F4A_7C15L;
        return (byte) (mixed >>> 56);
    }

    static void send(Link link, int bytes, int maxPiece, int seed) throws IOException {
        Random random = new Random(seed);
        ByteBuffer buffer = ByteBuffer.allocateDirect(maxPiece);
        for (int sent = 0; sent < bytes;) {
            int piece = Math.min(bytes - sent, 1 + random.nextInt(maxPiece));
            buffer.clear();
            for (int i = 0; i < piece; i++) {
                buffer.put(at(sent + i, seed));
            }
            Streams.write(link, buffer.flip());
            sent += piece;
        }
    }

    static void receive(Link link, int bytes, int maxPiece, int seed) throws IOException {
        Random random = new Random(~seed);
        ByteBuffer buffer = ByteBuffer.allocateDirect(maxPiece);
        for (int received = 0; received < bytes;) {
            buffer.clear().limit(Math.min(bytes - received, 1 + random.nextInt(maxPiece)));
            int read = Streams.readSome(link, buffer);
            if (read == Link.EOF) {
                throw new AssertionError("end after " + received + " of " + bytes + " bytes");
            }
            for (int i = 0; i < read; i++) {
                if (buffer.get(i) != at(received + i, seed)) {
                    throw new AssertionError("wrong byte at position " + (received + i));
                }
            }
            received += read;
        }
    }

    /** Runs something in a thread of its own. */
    static <T> CompletableFuture<T> start(String name, Callable<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> complete(result, body), name);
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Runs something in the calling thread. */
    static <T> void complete(CompletableFuture<T> result, Callable<T> body) {
        try {
            result.complete(body.call());
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    static CompletableFuture<Void> sending(Link link, int bytes, int maxPiece, int seed) {
        return start("sender " + seed, () -> {
            send(link, bytes, maxPiece, seed);
            return null;
        });
    }

    static CompletableFuture<Void> receiving(Link link, int bytes, int maxPiece, int seed) {
        return start("receiver " + seed, () -> {
            receive(link, bytes, maxPiece, seed);
            return null;
        });
    }

    /** Waits for all of them, or for the first failure. */
    static void join(List<CompletableFuture<Void>> tasks) throws Exception {
        CompletableFuture<Void> end = CompletableFuture.allOf(tasks.toArray(new CompletableFuture<?>[0]));
        for (CompletableFuture<Void> task : tasks) {
            task.whenComplete((nothing, e) -> {
                if (e != null) {
                    end.completeExceptionally(e);
                }
            });
        }
        end.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
