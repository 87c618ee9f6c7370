/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampleTest {
    private static final int FIRST_PORT = 20_000;
    private static final int MAX_PORTS = 1_000;

    static final List<Sample> SAMPLES =
            List.of(new SocketEcho(), new ChannelEcho(), new SelectorEcho(), new HttpEcho(), new NettyEcho());

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void shouldEchoEachMessage(Sample sample) throws Exception {
        String[] messages = {"short", "l\u00f6ng ".repeat(5_000), "last"};
        try (RunningServer server = sample.serve(0)) {
            assertThat(sample.call(at(server), messages)).containsExactly(messages);
        }
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void shouldServeOneClientAfterTheOther(Sample sample) throws Exception {
        try (RunningServer server = sample.serve(0)) {
            for (String text : List.of("first", "second", "third")) {
                assertThat(sample.call(at(server), text)).containsExactly(text);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void shouldRefuseClientsOnceClosed(Sample sample) throws Exception {
        RunningServer server = serveOnAPortOfItsOwn(sample);
        server.close();

        assertThatThrownBy(() -> {
            sample.call(at(server), "an accept that is under way may still let this one in");
            sample.call(at(server), "too late");
        }).isInstanceOf(IOException.class);
    }

    /** On a port that the kernel gives to nobody by itself: once it is closed, nobody else listens there by chance. */
    private static RunningServer serveOnAPortOfItsOwn(Sample sample) throws Exception {
        for (int port = FIRST_PORT; port < FIRST_PORT + MAX_PORTS; port++) {
            try {
                return sample.serve(port);
            } catch (BindException e) {
                assertThat(e).hasMessageContaining("in use"); // then the next one
            }
        }
        throw new AssertionError("no port is free from " + FIRST_PORT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7000", "127.0.0.1:7000", "::1:7000"})
    void shouldReadAddress(String text) {
        assertThat(Launcher.address(text).getPort()).isEqualTo(7000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "70000", "host:", "host:-1"})
    void shouldRefuseWhatIsNoPort(String text) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Launcher.address(text))
                .withMessageStartingWith("not a port");
    }

    private static InetSocketAddress at(RunningServer server) {
        return new InetSocketAddress("127.0.0.1", server.port());
    }
}
