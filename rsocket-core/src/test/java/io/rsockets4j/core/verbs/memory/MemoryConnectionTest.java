/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsConnectionContractTest;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;

class MemoryConnectionTest extends VerbsConnectionContractTest {
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryBinding binding = new MemoryBinding(network.host("a"));

    @AfterEach
    void closeNetwork() {
        network.close();
    }

    @Override
    protected VerbsBinding binding() {
        return binding;
    }

    @Override
    protected InetAddress address() {
        return InetAddress.getLoopbackAddress();
    }
}
