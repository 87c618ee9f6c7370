/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other processes see of an endpoint while it comes to be. */
class EndpointTest {
    private static final int ENDPOINTS = 3000;

    @TempDir
    private Path parent;
    private volatile Path coming;
    private volatile boolean over;
    private volatile Path takenForDead;
    private int connected; // by the sweeper, which is read when it has ended

    /** As another process' sweep does with what it finds in the directory, again and again. */
    private void look() {
        while (!over) {
            Path path = coming;
            if (path != null && Files.exists(path) && refuses(path) && Files.exists(path)) {
                takenForDead = path;
            }
        }
    }

    private boolean refuses(Path path) {
        try (SocketChannel probe = UnixSockets.connect(path)) {
            connected++;
            return !probe.isConnected();
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false; // it is gone
        }
    }

    @Test
    void shouldNeverBeTakenForDeadWhileItOpens() throws Exception {
        Rendezvous rendezvous = Rendezvous.open(parent.toString(), false);
        CompletableFuture<Void> sweeper = CompletableFuture.runAsync(this::look);
        try {
            for (int i = 0; i < ENDPOINTS && takenForDead == null; i++) {
                openAndClose(rendezvous);
            }
        } finally {
            over = true;
        }
        sweeper.get(20, TimeUnit.SECONDS);
        assertThat(takenForDead).isNull();
        assertThat(connected).as("looks at an endpoint that listens").isPositive();
        assertThat(Fabrics.files(parent, Rendezvous.DRAFT)).isEmpty();
    }

    private void openAndClose(Rendezvous rendezvous) throws IOException {
        try (ServerSocketChannel server = UnixSockets.openServer()) {
            Path path = rendezvous.newPath(".endpoint");
            coming = path;
            UnixSockets.show(server, path, rendezvous.newPath(Rendezvous.DRAFT), 0);
            Files.delete(path); // before it is closed
        }
    }
}
