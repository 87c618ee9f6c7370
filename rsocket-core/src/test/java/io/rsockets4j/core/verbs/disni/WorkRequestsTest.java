/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsStructs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The structs as verbs.h has them; the numbers are its, not taken from the code under test. */
class WorkRequestsTest {
    private final ByteBuffer memory = DirectMemory.structs(WorkRequests.BYTES);
    private final long base = DirectMemory.address(memory);
    private final WorkRequests requests = new WorkRequests(memory);

    @Test
    void shouldWriteASend() {
        int at = (int) (requests.send(VerbsStructs.OPCODE_SEND, 0x1122334455667788L, 0xAABB_CCDD_EEL, 77, 0x4321,
                QueuePair.SIGNALED, 0) - base);
        assertThat(memory.getLong(at)).isEqualTo(0x1122334455667788L);
        assertThat(memory.getLong(at + 8)).as("next").isZero();
        assertThat(memory.getInt(at + 24)).as("num_sge").isEqualTo(1);
        assertThat(memory.getInt(at + 28)).as("IBV_WR_SEND").isEqualTo(2);
        assertThat(memory.getInt(at + 32)).as("IBV_SEND_SIGNALED").isEqualTo(2);
        assertElement((int) (memory.getLong(at + 16) - base), 0xAABB_CCDD_EEL, 77, 0x4321);
    }

    @Test
    void shouldWriteAWriteWithImmediate() {
        requests.remote(0x7000_0000_1000L, 0x99);
        int at = (int) (requests.send(VerbsStructs.OPCODE_WRITE_WITH_IMMEDIATE, 1, 2, 3, 4, QueuePair.INLINE,
                0x0102_0304) - base);
        assertThat(memory.getInt(at + 28)).as("IBV_WR_RDMA_WRITE_WITH_IMM").isEqualTo(1);
        assertThat(memory.getInt(at + 32)).as("IBV_SEND_INLINE").isEqualTo(8);
        assertThat(memory.duplicate().order(ByteOrder.BIG_ENDIAN).getInt(at + 36)).as("imm_data, in network order")
                .isEqualTo(0x0102_0304);
        assertThat(memory.getLong(at + 40)).as("remote_addr").isEqualTo(0x7000_0000_1000L);
        assertThat(memory.getInt(at + 48)).as("rkey").isEqualTo(0x99);
    }

    @Test
    void shouldWriteAReceiveBesidesTheSend() {
        int send = (int) (requests.send(VerbsStructs.OPCODE_SEND, 5, 6, 7, 8, 0, 0) - base);
        int at = (int) (requests.receive(9, 10, 11, 12) - base);
        assertThat(memory.getLong(at)).isEqualTo(9);
        assertThat(memory.getLong(at + 8)).as("next").isZero();
        assertThat(memory.getInt(at + 24)).as("num_sge").isEqualTo(1);
        assertElement((int) (memory.getLong(at + 16) - base), 10, 11, 12);
        assertThat(memory.getLong(send)).isEqualTo(5);
        assertElement((int) (memory.getLong(send + 16) - base), 6, 7, 8);
    }

    @Test
    void shouldHaveNoElementForNoBytes() {
        int at = (int) (requests.send(VerbsStructs.OPCODE_WRITE, 1, 2, 0, 4, 0, 0) - base);
        assertThat(memory.getInt(at + 24)).as("num_sge").isZero();
    }

    private void assertElement(int at, long address, int length, int key) {
        assertThat(memory.getLong(at)).as("addr").isEqualTo(address);
        assertThat(memory.getInt(at + 8)).as("length").isEqualTo(length);
        assertThat(memory.getInt(at + 12)).as("lkey").isEqualTo(key);
    }
}
