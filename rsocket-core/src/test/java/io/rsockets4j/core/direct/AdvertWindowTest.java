/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How often a peer is told of buffers that uses none, all or some. */
class AdvertWindowTest {
    private final AdvertWindow window = new AdvertWindow();

    @Test
    void shouldTellOfAllAtFirstAndAfterOneMiss() {
        assertThat(window.size(0)).isEqualTo(OwnAdverts.MAX);
        window.missed(0, 3);
        assertThat(window.size(0)).isEqualTo(OwnAdverts.MAX);
    }

    @Test
    void shouldTellNowAndThenWhereNoneIsUsed() {
        window.missed(0, 3);
        for (long position = 50; position < 1_000_000; position += 3 * AdvertWindow.BYTES_EACH) {
            window.missed(position, 3);
            assertThat(window.size(position + 3 * AdvertWindow.BYTES_EACH - 1)).isZero();
            assertThat(window.size(position + 3 * AdvertWindow.BYTES_EACH)).isEqualTo(OwnAdverts.MAX);
        }
    }

    @Test
    void shouldTellOfAllAgainOnceOneIsUsed() {
        window.missed(0, 3);
        window.missed(10, 3);
        window.used();
        assertThat(window.size(20)).isEqualTo(OwnAdverts.MAX);
        window.missed(20, 3);
        assertThat(window.size(20)).as("as at first").isEqualTo(OwnAdverts.MAX);
    }
}
