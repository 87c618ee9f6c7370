/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.Stage;
import io.rsockets4j.bench.work.Works;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtocolTest {

    private static final Job JOB =
            new Job(Works.of("roundtrip"), Api.SELECTOR, 1024, Duration.ofMillis(5), Duration.ofMillis(7));

    @Test
    void shouldReadWhatItWrites() {
        Map<String, Double> values = Map.of("p99.9", 1.5e-7, "bytes at the receiver", 3e9);
        Stage stage = new Stage(JOB, List.of(1, 65535), 4242, 1234.5);

        assertThat(Protocol.parseValues(Protocol.values(values))).isEqualTo(values);
        assertThat(Protocol.parsePorts(Protocol.ports(List.of(1, 65535)))).containsExactly(1, 65535);
        assertThat(Protocol.parseDrive(Protocol.drive(stage))).isEqualTo(stage);
        assertThat(Works.parseJob(JOB.toLine())).isEqualTo(JOB);
    }

    @Test
    void shouldNotTakeOneAnswerForAnother() {
        assertThatIllegalArgumentException().isThrownBy(() -> Protocol.parsePorts(Protocol.values(Map.of("a", 1.0))));
    }

    @Test
    void shouldObeyUntilTheInputEnds() throws InterruptedException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        List<String> commands = List.of(Protocol.SERVE + JOB.toLine(), Protocol.STOP, "nonsense");

        new Peer(new PrintStream(output, true)).run(CommandQueue.of(commands));

        assertThat(output.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(Protocol.READY),
                        line -> assertThat(Protocol.parsePorts(line)).hasSize(1),
                        line -> assertThat(line).isEqualTo("@stopped"),
                        line -> assertThat(line).startsWith(Protocol.FAILED).contains("nonsense"));
    }
}
