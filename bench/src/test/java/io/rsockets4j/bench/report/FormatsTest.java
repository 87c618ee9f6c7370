/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rsockets4j.bench.work.Sizes;
import io.rsockets4j.bench.work.Unit;
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
        "PERCENT, 0.33, 0.33%",
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
}
