/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How often a peer is told of buffers that uses none, all or some. */
class AdvertWindowTest {
    private static final int PAUSE = 1000 + 3 * AdvertWindow.BYTES_EACH;

    private final AdvertWindow window = new AdvertWindow();

    @Test
    void shouldTellOfAllAtFirstAndAfterOneMiss() {
        assertThat(window.size(0)).isEqualTo(OwnAdverts.MAX);
        window.missed(0, 3, 1000);
        assertThat(window.size(0)).isEqualTo(OwnAdverts.MAX);
    }

    @Test
    void shouldTellNowAndThenWhereNoneIsUsed() {
        window.missed(0, 3, 1000);
        for (long position = 50; position < 1_000_000; position += PAUSE) {
            window.missed(position, 3, 1000);
            assertThat(window.size(position + PAUSE - 1)).isZero();
            assertThat(window.size(position + PAUSE)).isEqualTo(OwnAdverts.MAX);
        }
    }

    @Test
    void shouldTellOfAllAgainOnceOneIsUsed() {
        window.missed(0, 3, 1000);
        window.missed(10, 3, 1000);
        window.used();
        assertThat(window.size(20)).isEqualTo(OwnAdverts.MAX);
        window.missed(20, 3, 1000);
        assertThat(window.size(20)).as("as at first").isEqualTo(OwnAdverts.MAX);
    }
}
