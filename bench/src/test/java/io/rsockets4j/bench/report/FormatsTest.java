/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.rsockets4j.bench.work.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {

    @ParameterizedTest
    @CsvSource({
        "NANOSECONDS, 560, 0.56 us",
        "NANOSECONDS, 12345, 12.3 us",
        "NANOSECONDS, 999600, 1.00 ms",
        "SECONDS, 0.0375, 37.5 ms",
        "PER_SECOND, 999.6, 1.00 k/s",
        "PER_SECOND, 52000000, 52.0 M/s",
        "BYTES_PER_SECOND, 5200000000, 5.20 GB/s",
        "BYTES, 16384, 16.0 KiB",
        "BYTES, 0, 0 B",
        "PERCENT, 0.33, 0.3%",
        "COUNT, 1.004, 1.00",
        "COUNT, 845, 845"
    })
    void shouldWriteFiguresWithThreeDigits(Unit unit, double value, String text) {
        assertThat(unit.format(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"20, 20x", "2.2, 2.20x", "0.97, 0.97x", "19.34, 19.3x", "19.97, 19.9x", "123.4, 123x"})
    void shouldWriteRatios(double ratio, String text) {
        assertThat(Labels.ratio(ratio)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"64, 64, 64 B", "4k, 4096, 4 KiB", "64KiB, 65536, 64 KiB", "1M, 1048576, 1 MiB", "1000b, 1000, 1000 B"})
    void shouldReadAndWriteSizes(String text, int bytes, String written) {
        assertThat(Sizes.parse(text)).isEqualTo(bytes);
        assertThat(Sizes.format(bytes)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "7", "-64", "4g", "k", "64 B", "999999999m"})
    void shouldRefuseOtherSizes(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Sizes.parse(text));
    }

    @Test
    void shouldPlaceEqualRatiosAtEqualDistances() {
        LogAxis axis = new LogAxis(1, 100, 0, 200);

        assertThat(axis.at(1)).isZero();
        assertThat(axis.at(10)).isCloseTo(100, within(1e-9));
        assertThat(axis.at(100)).isCloseTo(200, within(1e-9));
        assertThat(axis.ticks()).containsExactly(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0);
    }

    @Test
    void shouldMakeRoomForAllValues() {
        LogAxis axis = LogAxis.around(List.of(3.0, 70_000.0), 100, 500);

        assertThat(axis.at(3)).isBetween(100.0, 500.0);
        assertThat(axis.at(70_000)).isBetween(100.0, 500.0);
        assertThat(axis.ticks()).containsExactly(10.0, 100.0, 1_000.0, 10_000.0);
    }
}
