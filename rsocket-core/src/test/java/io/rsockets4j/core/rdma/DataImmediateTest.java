/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What fits into 32 bits, and what the reader makes of it. */
class DataImmediateTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, DataImmediate.NUMBERS - 1})
    void shouldNameTheConnection(int number) {
        for (long receives = 0; receives < 3L * DataImmediate.RECEIVES_LIMIT; receives += 7) {
            int immediate = DataImmediate.of(number, receives);
            assertThat(DataImmediate.isData(immediate)).isTrue();
            assertThat(DataImmediate.number(immediate)).isEqualTo(number);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x2000_0001, 0xf000_0001, 0x1001_0000, -1})
    void shouldKnowItsOwnKind(int immediate) {
        assertThat(DataImmediate.isData(immediate)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"64, 64, 64", "64, 79, 64", "64, 80, 80", "70, 64, 70", "70, 85, 80", "4095, 4096, 4096",
        "4090, 4200, 4192", "8191, 12000, 12000", "1099511627776, 1099511628000, 1099511628000"})
    void shouldFindTheCountNearTheOneThatIsKnown(long known, long receives, long found) {
        int credit = DataImmediate.credit(DataImmediate.of(1, receives));
        assertThat(DataImmediate.receives(credit, known)).isEqualTo(found);
    }

    /** Both sides' counts run on for long: never is more granted than was posted, nor less than whole units. */
    @Test
    void shouldFollowACount() {
        long known = 64;
        for (long posted = 64; posted < 100_000; posted += posted % 40) {
            known = DataImmediate.receives(DataImmediate.credit(DataImmediate.of(0, posted)), known);
            assertThat(posted - known).isBetween(0L, DataImmediate.CREDIT_UNIT - 1L);
            posted++;
        }
    }
}
