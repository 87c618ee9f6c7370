/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many buffers a peer is told of that uses none, all or some. */
class AdvertWindowTest {
    private final AdvertWindow window = new AdvertWindow();

    @Test
    void shouldTellOfAllAtFirstAndAfterOneMiss() {
        assertThat(window.size(0)).isEqualTo(OwnAdverts.MAX);
        window.missed(0, 1000);
        assertThat(window.size(0)).isEqualTo(OwnAdverts.MAX);
    }

    @Test
    void shouldTellOfOneNowAndThenWhereNoneIsUsed() {
        window.missed(0, 1000);
        for (long position = 50; position < 5000; position += 1000) {
            window.missed(position, 1000);
            assertThat(window.size(position + 999)).isZero();
            assertThat(window.size(position + 1000)).isEqualTo(1);
        }
    }

    @Test
    void shouldTellOfAllAgainOnceOneIsUsed() {
        window.missed(0, 1000);
        window.missed(10, 1000);
        window.used();
        assertThat(window.size(20)).isEqualTo(OwnAdverts.MAX);
        window.missed(20, 1000);
        assertThat(window.size(20)).as("as at first").isEqualTo(OwnAdverts.MAX);
    }
}
