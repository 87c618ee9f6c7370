/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Machine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the package's documentation and docs/extended-sockets.md show: the same lines. */
class ExampleTest {
    private static final Path SOURCE = Path.of("src/test/java/io/rsockets4j/exs/ExampleTest.java");

    private final InetSocketAddress address = new InetSocketAddress(Machine.address(), 0);
    private final RegisteredMemory hello = Ends.filled(5, 1);
    private final RegisteredMemory buffer = RegisteredMemory.allocate(4096);
    private int sent;

    @Test
    void shouldSendAMessage() throws Exception {
        // shown from here
        try (EventQueue queue = EventQueue.open();
                ExtendedListener listener = ExtendedListener.open(queue, SocketType.MESSAGE, address, 0);
                ExtendedSocket client = ExtendedSocket.open(queue, SocketType.MESSAGE)) {
            listener.accept("accept");
            client.connect(listener.localAddress(), "connect");
            for (Event event; (event = queue.dequeue(10, TimeUnit.SECONDS)) != null; ) {
                switch (event.kind()) {
                    case CONNECT -> client.send(hello, 0, 5, "send");
                    case ACCEPT -> event.accepted().receive(buffer, 0, 4096, "receive");
                    case RECEIVE -> queue.wakeUp();
                    case SEND -> sent += event.bytes();
                }
            }
        }
        // to here
        assertThat(sent).isEqualTo(5);
        Ends.check(buffer, 0, 5, 0, 1);
    }

    @Test
    void shouldBeShown() throws IOException {
        List<String> source = Files.readAllLines(SOURCE).stream().map(String::strip).toList();
        List<String> lines = source.subList(source.indexOf("// shown from here") + 1, source.indexOf("// to here"));
        assertThat(lines).hasSizeGreaterThan(10);
        assertThat(strippedLines("src/main/java/io/rsockets4j/exs/package-info.java", " * ")).containsSequence(lines);
        assertThat(strippedLines("../docs/extended-sockets.md", "")).containsSequence(lines);
    }

    private static List<String> strippedLines(String file, String prefix) throws IOException {
        return Files.readAllLines(Path.of(file)).stream()
                .map(line -> line.startsWith(prefix) ? line.substring(prefix.length()) : line)
                .map(String::strip).toList();
    }
}
