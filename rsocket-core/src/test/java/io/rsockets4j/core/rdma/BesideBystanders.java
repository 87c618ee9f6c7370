/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Streams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Whatever happens in a case, two processes that were connected before still understand each other behind it. */
abstract class BesideBystanders {
    final RdmaNetwork network;
    RdmaNetwork.Listening listening;
    private RdmaNetwork.Links bystanders;

    BesideBystanders(RdmaNetwork network) {
        this.network = network;
    }

    @BeforeEach
    void listen() throws Exception {
        listening = network.listen();
        RdmaLink near = network.connect(listening.address());
        bystanders = new RdmaNetwork.Links(near, listening.accept());
    }

    @AfterEach
    void assertOthersAreUnharmed() throws Exception {
        Streams.writeByte(bystanders.near(), 5);
        assertThat(Streams.readByte(bystanders.far())).isEqualTo(5);
        Streams.writeByte(bystanders.far(), 6);
        assertThat(Streams.readByte(bystanders.near())).isEqualTo(6);
        network.assertNoViolations();
        network.close();
    }
}
