/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** That each task waits once, and the oldest comes first. */
class TaskQueueTest {
    private final TaskQueue queue = new TaskQueue();
    private final Task first = new Command(() -> { });
    private final Task second = new Command(() -> { });

    @Test
    void shouldGiveTheOldestFirst() {
        queue.add(first);
        queue.add(second);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.poll()).isSameAs(first);
        assertThat(queue.poll()).isSameAs(second);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void shouldHoldATaskOnce() {
        queue.add(first);
        queue.add(second);
        queue.add(first);
        assertThat(queue.poll()).isSameAs(first);
        assertThat(queue.poll()).isSameAs(second);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void shouldTakeATaskAgainOnceItHasLeft() {
        queue.add(first);
        assertThat(queue.poll()).isSameAs(first);
        queue.add(first);
        assertThat(queue.poll()).isSameAs(first);
    }
}
