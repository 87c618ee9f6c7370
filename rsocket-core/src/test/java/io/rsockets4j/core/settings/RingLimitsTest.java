/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingLimitsTest {
    private static final int USUAL = 256 << 10;
    private static final int MAX = 512 << 10;

    private final RingLimits limits = new RingLimits(USUAL, MAX);

    @ParameterizedTest
    @CsvSource({
        "0, 0, 262144", // nobody asked
        "4608, 2304, 8192", // the least that Linux gives
        "16384, 16384, 32768",
        "131072, 131072, 262144",
        "16384, 0, 131072", // SO_RCVBUF is 128 KiB then
        "262144, 0, 524288",
        "0, 2304, 262144", // SO_SNDBUF grows to megabytes then
        "0, 524288, 524288",
        "425984, 425984, 524288", // the most that Linux gives by default
        "2147483647, 2147483647, 524288"})
    void shouldHoldWhatBothBuffersWould(int sendBuffer, int receiveBuffer, int capacity) {
        assertThat(limits.capacity(sendBuffer, receiveBuffer)).isEqualTo(capacity);
    }

    @Test
    void shouldStayWithinItsBoundsWhateverIsAsked() {
        for (int usual = RingLimits.MIN_BYTES; usual > 0 && usual <= 1 << 28; usual *= 2) {
            RingLimits same = new RingLimits(usual, usual);
            for (int asked : new int[] {0, 1, 4608, 70_000, 1 << 20, Integer.MAX_VALUE}) {
                assertThat(same.allows(same.capacity(asked, asked))).as("%d of %d", asked, usual).isTrue();
                assertThat(same.allows(same.capacity(0, asked))).as("%d of %d", asked, usual).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false", "4096, false", "8192, true", "8193, false", "524288, true", "1048576, false",
        "-2147483648, false"})
    void shouldAllowPowersOfTwoWithinItsBounds(int bytes, boolean allowed) {
        assertThat(limits.allows(bytes)).isEqualTo(allowed);
    }
}
