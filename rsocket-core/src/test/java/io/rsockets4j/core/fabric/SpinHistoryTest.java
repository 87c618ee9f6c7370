/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinHistoryTest {
    private final FakeLink link = new FakeLink();

    @Test
    void shouldNotSpinForWhatIsReady() {
        SpinPolicy policy = new SpinPolicy(1_000_000_000, 2);
        policy.begin();
        policy.begin(); // nobody else may spin
        link.readyAfter(OP_READ, 0);
        assertThat(new SpinHistory(policy).spin(link, OP_READ, false)).isTrue();
    }

    @Test
    void shouldSeeWhatBecomesReadyWhileItSpins() {
        link.readyAfter(OP_WRITE, 100);
        assertThat(new SpinHistory(new SpinPolicy(1_000_000_000, 2)).spin(link, OP_WRITE, false)).isTrue();
    }

    @Test
    void shouldLookOnceAndGiveUpWhereSpinningIsNotAllowed() {
        link.readyAfter(OP_READ, 1);
        assertThat(new SpinHistory(new SpinPolicy(50_000, 1)).spin(link, OP_READ, false)).isFalse();
        assertThat(link.looks()).isEqualTo(1);
    }

    @Test
    void shouldEndWithoutSuccessAndLeaveItsPlaceToOthers() {
        SpinPolicy policy = new SpinPolicy(20_000, 2);
        policy.begin();
        SpinHistory history = new SpinHistory(policy);
        for (int i = 0; i < 20; i++) {
            link.readyAfter(OP_READ, Long.MAX_VALUE);
            assertThat(history.spin(link, OP_READ, i % 2 == 0)).isFalse();
        }
        assertThat(policy.begin()).isEqualTo(20_000);
    }
}
