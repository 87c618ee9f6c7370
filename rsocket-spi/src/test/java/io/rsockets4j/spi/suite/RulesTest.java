/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels under rules in a file, which changes while they are used. */
@Timeout(60)
@EngineSettings({"paths=shm,tcp", "rules=" + RulesTest.FILE})
class RulesTest extends SuiteCase {
    static final String FILE = "target/suite.rules";

    private static final Sockets PLAIN = new TcpSockets();
    private static OurSockets ours; // set once, before all cases

    @BeforeAll
    static void openSockets() throws IOException {
        rules(""); // without a file the engine would not start
        ours = OurSockets.atBothEnds();
    }

    @Override
    public Sockets sockets() {
        return ours;
    }

    @Test
    void shouldObeyTheFileSoonAfterItChanges() throws Exception {
        ServerSocketChannel server = listen();
        rules("");
        awaitPath(server, "shm", Reason.PREFERRED);
        rules("connect * * prefer tcp");
        awaitPath(server, "tcp", Reason.RULE);
        rules("connect * * require shm");
        awaitPath(server, "shm", Reason.RULE);
    }

    @Test
    void shouldNotAcceptTcpFromWhomARuleDeniesIt() throws Exception {
        ServerSocketChannel server = listen();
        rules("accept 0.0.0.0/0 * deny tcp");
        awaitRefused(server);
        Task<SocketChannel> accepter = start("accepter", server::accept);
        accepter.awaitBlockedIn("accept");
        SocketChannel refused = open(PLAIN);
        refused.connect(server.getLocalAddress());
        assertThat(refused.read(ByteBuffer.allocate(1))).as("closed at once").isEqualTo(-1);
        SocketChannel welcome = connectTo(server);
        assertThat(closing(accepter.join()).getRemoteAddress()).isEqualTo(welcome.getLocalAddress());
    }

    @Test
    void shouldSelectWhereARuleDeniesTcpToSome() throws Exception {
        ServerSocketChannel server = listen();
        rules("accept 0.0.0.0/0 * deny tcp");
        awaitRefused(server);
        Selector selector = openSelector();
        register(selector, server, SelectionKey.OP_ACCEPT);
        SocketChannel refused = open(PLAIN);
        refused.connect(server.getLocalAddress());
        assertThat(selector.select()).isEqualTo(1);
        assertThat(server.accept()).isNull();
        assertThat(refused.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isZero();
    }

    /** The path of a new connection; its other end is accepted and closed. */
    private void awaitPath(ServerSocketChannel server, String path, Reason reason) throws Exception {
        Threads.await(path + " by " + reason, () -> {
            try (SocketChannel client = connectTo(server); SocketChannel accepted = server.accept()) {
                assertThat(accepted.getRemoteAddress()).isEqualTo(client.getLocalAddress());
                ConnectionInfo info = ours.connections().stream()
                        .filter(each -> each.direction() == Direction.CONNECT).findAny().orElseThrow();
                return info.path().equals(path) && info.reason() == reason;
            }
        });
    }

    /** Until plain clients are closed: the rules are looked at once a second at most. */
    private void awaitRefused(ServerSocketChannel server) throws Exception {
        server.configureBlocking(false);
        Threads.await("the rule against TCP", () -> {
            try (SocketChannel client = PLAIN.clientProvider().openSocketChannel()) {
                client.connect(server.getLocalAddress());
                return isRefused(server, client);
            }
        });
        server.configureBlocking(true);
    }

    private static boolean isRefused(ServerSocketChannel server, SocketChannel client) throws Exception {
        client.configureBlocking(false);
        boolean[] accepted = {false};
        Threads.await("an answer", () -> {
            try (SocketChannel taken = server.accept()) {
                accepted[0] = taken != null;
            }
            return accepted[0] || client.read(ByteBuffer.allocate(1)) == -1;
        });
        return !accepted[0];
    }

    private static void rules(String text) throws IOException {
        Path draft = Files.writeString(Path.of(FILE + ".new"), text);
        Files.move(draft, Path.of(FILE), StandardCopyOption.REPLACE_EXISTING);
    }
}
