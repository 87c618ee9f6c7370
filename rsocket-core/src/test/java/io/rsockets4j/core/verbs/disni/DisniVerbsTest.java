/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsContractTest;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** On a host with an RDMA device, libdisni and slf4j-api; {@code test.disni} is an IPv4 address of the device. */
@EnabledIfSystemProperty(named = DisniVerbsTest.ADDRESS, matches = ".+",
        disabledReason = "no device with DiSNI is declared")
class DisniVerbsTest extends VerbsContractTest {
    static final String ADDRESS = "test.disni";

    @Override
    protected VerbsBinding binding() throws IOException {
        VerbsBinding binding = new DisniBinding();
        binding.load();
        return binding;
    }

    @Override
    protected InetAddress address() throws IOException {
        return InetAddress.getByName(System.getProperty(ADDRESS));
    }

    @Test
    void shouldRefuseStepsThatNeedADeviceBeforeThereIsOne() throws IOException {
        try (ConnectionManager manager = binding().openConnectionManager()) {
            CmId id = manager.createId();
            assertThatThrownBy(id::connect).isInstanceOf(VerbsException.class).hasMessageContaining("not resolved");
            assertThatThrownBy(id::accept).isInstanceOf(VerbsException.class).hasMessageContaining("not resolved");
            assertThatThrownBy(id::device).isInstanceOf(VerbsException.class).hasMessageContaining("not resolved");
            id.destroy();
            assertThatThrownBy(id::connect).isInstanceOf(VerbsException.class).hasMessageContaining("destroyed");
            assertThatThrownBy(id::disconnect).isInstanceOf(VerbsException.class).hasMessageContaining("destroyed");
        }
    }
}
