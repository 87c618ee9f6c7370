/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static io.rsockets4j.bench.report.Reports.job;
import static io.rsockets4j.bench.report.Reports.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.run.Measurement;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Start;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportBuilderTest {

    private static final Job ROUND_TRIP = job("roundtrip", 64);
    private static final Job STREAM = job("stream", 4096);

    @Test
    void shouldTakeTheMedian() {
        assertThat(Figure.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
        assertThat(Figure.median(List.of(1.0, 2.0, 4.0, 9.0))).isEqualTo(3.0);
    }

    @Test
    void shouldCallAShorterTimeBetter() {
        BenchReport report = report(roundTrip(PathSetup.TCP, 10_000), roundTrip(PathSetup.SHM, 500));

        assertThat(cell(report, PathSetup.SHM).ratio()).isEqualTo(20);
        assertThat(cell(report, PathSetup.SHM).asked()).isEqualTo(new Cell.Asked("20x", true, 20.0));
    }

    @Test
    void shouldCallAHigherRateBetter() {
        BenchReport report = report(stream(PathSetup.TCP, 1e9), stream(PathSetup.SHM, 4.9e9));

        assertThat(cell(report, PathSetup.SHM).ratio()).isEqualTo(4.9);
        assertThat(cell(report, PathSetup.SHM).asked()).isEqualTo(new Cell.Asked("5x", false, 5.0));
        assertThat(report.count(false)).isEqualTo(1);
    }

    @Test
    void shouldCompareMediansOfRepetitions() {
        BenchReport report = report(
                roundTrip(PathSetup.TCP, 10_000),
                roundTrip(PathSetup.SHM, 999_999),
                roundTrip(PathSetup.TCP, 12_000),
                roundTrip(PathSetup.SHM, 1_000),
                roundTrip(PathSetup.TCP, 11_000),
                roundTrip(PathSetup.SHM, 1_100));

        assertThat(cell(report, PathSetup.SHM).ratio()).isEqualTo(10);
        assertThat(cell(report, PathSetup.SHM).samples()).containsExactly(999_999.0, 1_000.0, 1_100.0);
    }

    @Test
    void shouldAskTheFallbackForParity() {
        BenchReport report = report(roundTrip(PathSetup.TCP, 97), roundTrip(PathSetup.FALLBACK, 100));

        assertThat(cell(report, PathSetup.FALLBACK).asked()).isEqualTo(new Cell.Asked("0.97x", true, 0.97));
    }

    @Test
    void shouldCompareWithNothingIfTcpWasNotMeasured() {
        BenchReport report = report(roundTrip(PathSetup.SHM, 500));

        assertThat(cell(report, PathSetup.SHM).ratio()).isNull();
        assertThat(cell(report, PathSetup.SHM).asked()).isNull();
    }

    @Test
    void shouldBoundWhatIdleConnectionsUse() {
        Map<String, Double> values =
                Map.of("cpu", 0.0, "descriptors", 2.0, "shared memory", 16_385.0, "time to open", 1.0, "/dev/shm", 0.0);
        BenchReport report = report(new Measurement(job("idle", 64), PathSetup.SHM, values));

        assertThat(report.rows())
                .filteredOn(row -> row.cells().get(PathSetup.SHM).asked() != null)
                .extracting(row -> row.cells().get(PathSetup.SHM).asked().verdict())
                .containsExactly("ok", "ok", "short");
    }

    @Test
    void shouldBoundWhatAStartTakesMoreThanWithoutUs() {
        BenchReport report = report(start(PathSetup.TCP, 0.035, 0.060), start(PathSetup.SHM, 0.0749, 0.121));

        assertThat(report.rows())
                .extracting(row -> row.cells().get(PathSetup.SHM).asked())
                .startsWith(
                        new Cell.Asked("<= +40.0 ms", true, null),
                        new Cell.Asked("<= +30.0 ms", false, null),
                        new Cell.Asked("0.50x", false, 0.5))
                .endsWith(
                        new Cell.Asked("<= 1200", true, null),
                        new Cell.Asked("<= 0", false, null),
                        new Cell.Asked("<= 1.43 MiB", true, null));
        assertThat(report(start(PathSetup.SHM, 0.0749, 0.121)).rows().get(0).cells().get(PathSetup.SHM).asked())
                .isNull();
    }

    @Test
    void shouldPutWhatIsAlikeTogether() {
        BenchReport report = report(
                new Measurement(job("stream", 64, Api.NIO), PathSetup.TCP, streamValues(1)),
                new Measurement(job("roundtrip", 64, Api.NIO), PathSetup.TCP, roundTripValues(1)),
                new Measurement(job("stream", 64, Api.SOCKET), PathSetup.TCP, streamValues(1)),
                new Measurement(job("roundtrip", 64, Api.SOCKET), PathSetup.TCP, roundTripValues(1)));

        assertThat(report.rows())
                .extracting(row -> row.work() + ' ' + row.api())
                .containsSequence("roundtrip nio", "roundtrip socket")
                .containsSequence("stream nio", "stream socket");
    }

    /** A start that takes a time and a client that takes another, all but its last few milliseconds to connect. */
    private static Measurement start(PathSetup route, double hello, double client) {
        int lines = route == PathSetup.TCP ? 0 : 1;
        Map<String, Double> values = Map.of(Start.HELLO, hello, Start.CONNECT, client - 0.01, Start.CLIENT, client,
                Start.EXIT, 0.01, Start.CLASSES, 1_200.0, Start.LINES, (double) lines, Start.JAR, lines * 1_500_000.0);
        return new Measurement(Start.jobs().get(0), route, values);
    }

    private static Cell cell(BenchReport report, PathSetup route) {
        return report.rows().get(0).cells().get(route);
    }

    private static Measurement roundTrip(PathSetup route, double p50) {
        return new Measurement(ROUND_TRIP, route, roundTripValues(p50));
    }

    private static Measurement stream(PathSetup route, double bytes) {
        return new Measurement(STREAM, route, streamValues(bytes));
    }

    private static Map<String, Double> roundTripValues(double p50) {
        return Map.of("p50", p50, "p99", 2 * p50, "p99.9", 3 * p50);
    }

    private static Map<String, Double> streamValues(double bytes) {
        return Map.of("bytes", bytes, "messages", bytes / 4096, "bytes at the receiver", bytes);
    }
}
