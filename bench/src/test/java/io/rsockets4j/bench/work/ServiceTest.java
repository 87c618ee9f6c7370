/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ClientLink;
import io.rsockets4j.bench.net.Server;
import io.rsockets4j.bench.net.ServerSession;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServiceTest {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration STEADY = Duration.ofMillis(200);
    private static final double RATE = 1_000;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(60);

    @Test
    void shouldBeFoundByItsName() {
        Service service = new Service(32, new Loop(30));

        assertThat(Works.of(service.name())).isEqualTo(service);
        assertThat(Service.of("roundtrip")).isEmpty();
        assertThat(Service.of("service")).isEmpty();
    }

    @Test
    void shouldGoByTheClosedLoopOfAsManyConnections() {
        assertThat(new Service(32, new Loop(30)).pace())
                .contains(new Work.Pace(new Service(32, Loop.CLOSED), Service.RATE, 0.3));
        assertThat(new Service(32, Loop.CLOSED).pace()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "VIRTUAL")
    void shouldYieldItsMetricsInAClosedLoop(Api api) throws Exception {
        assertYieldsMetrics(new Service(3, Loop.CLOSED), api, 0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "VIRTUAL")
    void shouldYieldItsMetricsInAnOpenLoop(Api api) throws Exception {
        Map<String, Double> values = assertYieldsMetrics(new Service(3, new Loop(50)), api, RATE);

        assertThat(values.get(Service.RATE)).isLessThanOrEqualTo(RATE * 1.01);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void shouldRunOnVirtualThreads() throws Exception {
        assertYieldsMetrics(new Service(3, Loop.CLOSED), Api.VIRTUAL, 0);
        assertYieldsMetrics(new Service(3, new Loop(50)), Api.VIRTUAL, RATE);
    }

    /** A server that stalls once delays all requests that are due meanwhile, not only the one it has. */
    @Test
    void shouldCountLatenciesFromWhenRequestsWereDue() {
        Course course = Course.of(job(new Service(1, new Loop(50)), Api.NIO), RATE);
        ServiceClient client = new ServiceClient(Api.NIO, 0, 1);
        client.begin(course);
        client.run(new StallingLink(150));
        Histogram first = EchoClient.latencies();
        Histogram steady = EchoClient.latencies();
        client.addTo(first, steady, EchoClient.latencies());

        assertThat(first.getTotalCount()).isEqualTo(100);
        assertThat(steady.getTotalCount()).isEqualTo(200);
        assertThat(steady.getMaxValue()).isGreaterThanOrEqualTo(STALL_NS);
        assertThat(steady.getCountBetweenValues(STALL_NS / 2, EchoClient.LONGEST_NS))
                .isGreaterThanOrEqualTo(29);
    }

    @Test
    void shouldNoticeAWrongAnswer() {
        ServiceClient client = new ServiceClient(Api.NIO, 0, 1);
        client.begin(Course.of(job(new Service(1, Loop.CLOSED), Api.NIO), 0));
        ByteBuffer request = client.request();
        client.target().put(new byte[Service.ANSWER_BYTES]).putLong(Service.ANSWER_BYTES - Long.BYTES, 1);

        assertThat(request.remaining()).isEqualTo(Service.REQUEST_BYTES);
        assertThatThrownBy(client::isAnswered).hasCauseInstanceOf(CorruptionException.class);
    }

    @Test
    void shouldSpreadRequestsEvenly() {
        Course course = new Course(1_000, 2_000, 3_000, 2.5);

        assertThat(course.dueNs(0)).isEqualTo(1_000);
        assertThat(course.dueNs(4)).isEqualTo(1_010);
        assertThat(course.isOver(2_999)).isFalse();
        assertThat(course.isOver(3_000)).isTrue();
        assertThat(course.isClosed()).isFalse();
    }

    private static Map<String, Double> assertYieldsMetrics(Service service, Api api, double rate) throws Exception {
        Job job = job(service, api);
        try (Server server = api.serve(() -> service.session(job), service.serving())) {
            Map<String, Double> values = service.drive(
                    new Stage(job, List.of(server.port()), ProcessHandle.current().pid(), rate));

            assertThat(values.keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            service.metrics().stream().map(Figure::name).toList());
            assertThat(values.values()).allMatch(value -> value >= 0 && Double.isFinite(value));
            // However slow the machine: of a closed loop at least the first request counts, of an open one all do.
            String phase = service.loop().isClosed() ? Service.FIRST : "";
            assertThat(values.get(phase + Service.RATE)).isPositive();
            assertThat(values.get(phase + Service.P50)).isPositive();
            return values;
        }
    }

    private static Job job(Service service, Api api) {
        return new Job(service, api, Service.REQUEST_BYTES, FIRST, STEADY);
    }

    /** Answers each request at once but one. */
    private static final class StallingLink implements ClientLink {

        private final ServerSession session = new ServiceSession(Api.NIO);
        private final int stalled;
        private ByteBuffer answer = ServerSession.NOTHING;
        private int count;

        StallingLink(int stalled) {
            this.stalled = stalled;
        }

        @Override
        public void write(ByteBuffer source) {
            session.target().put(source);
            answer = session.received();
        }

        @Override
        public int read(ByteBuffer target) {
            if (count++ == stalled) {
                Course.sleepUntil(System.nanoTime() + STALL_NS);
            }
            target.put(answer);
            return Service.ANSWER_BYTES;
        }

        @Override
        public void close() {
            answer = ServerSession.NOTHING;
        }
    }
}
