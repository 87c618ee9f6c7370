/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkRequestIdsTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "5, 65535", "16777215, 65536", "8388608, 131071"})
    void shouldKeepTagsApart(int index, int generation) {
        long tag = WorkRequestIds.tag(index, generation);
        long send = WorkRequestIds.send(tag, (1L << 40) + 3);
        long receive = WorkRequestIds.receive(tag, 127);
        assertThat(WorkRequestIds.tag(send)).isEqualTo(tag);
        assertThat(WorkRequestIds.tag(receive)).isEqualTo(tag);
        assertThat(WorkRequestIds.index(tag)).isEqualTo(index);
        assertThat(WorkRequestIds.isSend(send)).isTrue();
        assertThat(WorkRequestIds.isSend(receive)).isFalse();
        assertThat(WorkRequestIds.value(send)).isEqualTo(3);
        assertThat(WorkRequestIds.value(receive)).isEqualTo(127);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0, 64, 64", "8388600, 10, 18", "68719476730, 4, 10"})
    void shouldFollowCountsWhoseLowerBitsWrap(long count, int value, long distance) {
        assertThat(WorkRequestIds.distance(value, count)).isEqualTo(distance);
    }
}
