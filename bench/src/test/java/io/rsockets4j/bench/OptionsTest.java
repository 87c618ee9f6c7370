/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.run.RunSettings;
import io.rsockets4j.bench.work.Exs;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Start;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class OptionsTest {

    @TempDir
    private Path jdk;

    @Test
    void shouldCompareTcpAndSharedMemoryInAllWaysUnlessTold() {
        RunSettings settings = parse();

        assertThat(settings.routes()).containsExactly(PathSetup.TCP, PathSetup.SHM);
        assertThat(settings.apis()).containsExactly(Api.NIO, Api.SELECTOR, Api.SOCKET, Api.ASYNC);
        assertThat(settings.works()).isEqualTo(Works.usual());
        assertThat(settings.sizes()).isEmpty();
        assertThat(settings.repeat()).isEqualTo(3);
        assertThat(settings.jvms().agentJar().getFileName()).hasToString("rsockets4j.jar");
    }

    @Test
    void shouldChooseWhatToMeasure() {
        RunSettings settings = parse(
                "--paths=fallback,TCP", "--apis", "socket", "--works", "stream,idle", "--sizes", "4k,1m", "--repeat=5");

        assertThat(settings.routes()).containsExactly(PathSetup.FALLBACK, PathSetup.TCP);
        assertThat(settings.apis()).containsExactly(Api.SOCKET);
        assertThat(settings.works()).extracting(Work::name).containsExactly("stream", "idle");
        assertThat(settings.sizes()).containsExactly(4096, 1024 * 1024);
        assertThat(settings.repeat()).isEqualTo(5);
    }

    @Test
    void shouldMeasureSomeServicesUnlessTold() {
        assertThat(parse("--quick").jobs())
                .extracting(OptionsTest::cell)
                .containsExactly("nio service:1:closed", "nio service:4:closed", "nio service:32:closed",
                        "selector service:32:closed", "nio service:4:open30");
        assertThat(parse().jobs()).extracting(OptionsTest::cell).contains("selector service:32:open30");
        assertThat(parse("--works", "roundtrip").jobs()).isEmpty();
    }

    @Test
    void shouldMeasureOneServiceAlone() {
        RunSettings settings = parse(
                "--works", "service", "--apis=thread", "--connections=4", "--loop=closed", "--seconds=4", "--turns=3",
                "--paths=shm");

        assertThat(settings.works()).isEmpty();
        assertThat(settings.repeat()).isEqualTo(3);
        assertThat(settings.jobs()).singleElement().satisfies(job -> {
            assertThat(cell(job)).isEqualTo("nio service:4:closed");
            assertThat(job.warmUp()).isEqualTo(Duration.ofSeconds(2));
            assertThat(job.measured()).isEqualTo(Duration.ofSeconds(4));
        });
    }

    @Test
    void shouldMeasureAStartWhereItIsAskedFor() {
        RunSettings settings = parse("--works=start", "--turns=20", "--warm-up=3", "--apis=async");

        assertThat(settings.works()).isEmpty();
        assertThat(settings.jobs()).isEqualTo(Start.jobs());
        assertThat(parse().jobs()).doesNotContainAnyElementsOf(Start.jobs());
    }

    @Test
    void shouldMeasureStreamsOfExtendedSocketsWhereTheyAreAskedFor() {
        assertThat(parse("--works=exs", "--quick").jobs()).extracting(OptionsTest::stream).containsExactly(
                "exs:2:4:0 65536", "exs:16:32:0 65536", "exs:1:32:0 65536", "exs:16:32:0 1048576");
        assertThat(parse("--works=exs").jobs()).extracting(OptionsTest::stream).hasSize(13).contains(
                "exs:1:2:0 65536", "exs:32:64:0 65536", "exs:32:32:0 65536", "exs:16:32:0 4194304",
                "exs:16:32:1 65536");
        assertThat(parse("--works=exs").works()).isEmpty();
        assertThat(parse().jobs()).noneMatch(job -> job.work() instanceof Exs);
    }

    @Test
    void shouldChooseStreamsOfExtendedSockets() {
        assertThat(parse("--works=exs", "--receives=1,8", "--offsets=0,1").jobs())
                .extracting(OptionsTest::stream)
                .containsExactly("exs:1:1:0 65536", "exs:1:1:1 65536", "exs:4:8:0 65536", "exs:4:8:1 65536");
        assertThat(parse("--works=exs", "--sends=1,32", "--sizes=1k,4m").jobs())
                .extracting(OptionsTest::stream)
                .containsExactly("exs:1:32:0 1024", "exs:32:32:0 1024", "exs:1:32:0 4194304", "exs:32:32:0 4194304");
        assertThat(parse("--works=exs", "--sends=2", "--warm-up=3", "--seconds=4").jobs()).singleElement()
                .satisfies(job -> {
                    assertThat(job.api()).isEqualTo(Api.SELECTOR);
                    assertThat(job.warmUp()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(job.measured()).isEqualTo(Duration.ofSeconds(4));
                });
    }

    @Test
    void shouldNotMeasureExtendedSocketsWhereOneEndHasNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("--works=exs", "--paths=fallback"))
                .withMessageContaining("exs");
    }

    @Test
    void shouldMeasureTheClosedLoopBeforeTheOpenOnesThatGoByIt() {
        assertThat(parse("--works=service", "--apis=async", "--connections=4,32", "--loop=open10,open60").jobs())
                .extracting(OptionsTest::cell)
                .containsExactly("async service:4:closed", "async service:4:open10", "async service:4:open60",
                        "async service:32:closed", "async service:32:open10", "async service:32:open60");
    }

    @ParameterizedTest
    @CsvSource({"17, 0", "25, 3"})
    void shouldLeaveVirtualThreadsOutWhereThereAreNone(String version, int services) throws IOException {
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + ".0.1\"\n");

        RunSettings settings = parse("--works=service", "--apis=virtual", "--java=" + jdk);

        assertThat(settings.jobs()).hasSize(services);
        assertThat(settings.omissions()).hasSize(services == 0 ? 1 : 0);
    }

    @Test
    void shouldBeShorterWhenQuickUnlessTold() {
        RunSettings quick = parse("--quick");
        RunSettings longer = parse("--quick", "--duration", "2.5");

        assertThat(quick.repeat()).isEqualTo(1);
        assertThat(quick.measured()).isLessThan(Duration.ofSeconds(1));
        assertThat(longer.measured()).isEqualTo(Duration.ofMillis(2_500));
    }

    @Test
    void shouldPassArgumentsToTheJvms() {
        RunSettings settings = parse("--java", "/jdk", "--jvm-arg", "-Xmx1g", "--jvm-arg=-XX:+UseSerialGC");

        assertThat(settings.jvms().javaHome()).isEqualTo(Path.of("/jdk"));
        assertThat(settings.jvms().arguments()).containsExactly("-Xmx1g", "-XX:+UseSerialGC");
    }

    @Test
    void shouldTellTheJvmsWhichAddressToUse() {
        RunSettings settings = parse("--jvm-arg", "-Xmx1g", "--address", "192.0.2.1");

        assertThat(settings.jvms().arguments()).containsExactly("-Xmx1g", "-Dbench.address=192.0.2.1");
    }

    @ParameterizedTest
    @CsvSource({
        "--paths=tpc, tpc",
        "--apis=aio, aio",
        "--works=strem, strem",
        "--sizes=64q, 64q",
        "--repeat=0, --repeat",
        "--connections=0, --connections",
        "--loop=open, open",
        "--sends=x, --sends",
        "--duration=-1, --duration",
        "--durration=1, --durration"
    })
    void shouldNameWhatItDoesNotUnderstand(String argument, String named) {
        StringWriter errors = new StringWriter();
        CommandLine commandLine = Bench.commandLine().setErr(new PrintWriter(errors));

        assertThat(commandLine.execute(argument)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains(named);
    }

    @Test
    void shouldNotGoByTheRateOfAPathThatIsNotMeasured() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("--works=service", "--paths=shm", "--loop=open10"))
                .withMessageContaining("tcp");
    }

    @Test
    void shouldMeasurePlainConnectsOnThePathThatTheyTake() {
        assertThat(parse("--works=plain").routes()).containsExactly(PathSetup.FALLBACK);
        assertThat(parse("--works=plain,roundtrip", "--paths=tcp,fallback").routes())
                .containsExactly(PathSetup.TCP, PathSetup.FALLBACK);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("--works=plain", "--paths=tcp,shm"))
                .withMessage("--paths: plain goes by none of these: [tcp, shm]");
    }

    private static String stream(Job job) {
        return job.work().name() + " " + job.sizeBytes();
    }

    private static String cell(Job job) {
        return job.api() + " " + job.work().name();
    }

    private static RunSettings parse(String... arguments) {
        Options options = new Options();
        new CommandLine(new Holder(options))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments);
        return options.settings();
    }

    @CommandLine.Command
    private record Holder(@CommandLine.Mixin Options options) {}
}
