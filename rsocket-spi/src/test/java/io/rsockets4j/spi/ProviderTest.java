/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The provider as the JDK loads it, by its system property, in virtual machines of its own. */
@Timeout(60)
class ProviderTest {
    private static final String PROPERTY =
            "-Djava.nio.channels.spi.SelectorProvider=" + RSocketSelectorProvider.class.getName();
    private static final String SERVED = "RSocketChannel RServerSocketChannel RSelector UNIX SourceChannelImpl\n";
    private static final String EXPORT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";
    private static final String EXPORT_MEMORY = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

    @Test
    void shouldServeWithTheExports() throws Exception {
        assertThat(run(PROPERTY, EXPORT, EXPORT_MEMORY)).isEqualTo(SERVED);
    }

    @Test
    void shouldServeWithoutTheExports() throws Exception {
        assertThat(run(PROPERTY)).endsWith(SERVED);
    }

    @Test
    void shouldSayWhichSettingIsWrong() throws Exception {
        assertThat(run(PROPERTY, EXPORT, "-Drsockets4j.pahts=shm"))
                .contains("rsockets4j: unknown setting 'pahts'; did you mean 'paths'?");
        assertThat(run(PROPERTY, EXPORT, "-Drsockets4j.paths=fish"))
                .contains("rsockets4j: cannot use rsockets4j.paths=fish");
    }

    /** What the child does. */
    static final class Child {
        private Child() { }

        public static void main(String[] args) throws IOException {
            try (SocketChannel channel = SocketChannel.open();
                    ServerSocketChannel server = ServerSocketChannel.open();
                    SocketChannel unix = SocketChannel.open(java.net.StandardProtocolFamily.UNIX);
                    Selector selector = channel.provider().openSelector()) {
                Pipe pipe = Pipe.open();
                System.out.println(channel.getClass().getSimpleName() + " " + server.getClass().getSimpleName() + " "
                        + selector.getClass().getSimpleName() + (unix.supportedOptions().isEmpty() ? "" : " UNIX ")
                        + pipe.source().getClass().getSimpleName());
                pipe.source().configureBlocking(false).register(selector, 1);
                unix.configureBlocking(false).register(selector, 0);
                selector.selectNow();
            }
        }
    }

    private static String run(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.add(Child.class.getName());
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes());
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
