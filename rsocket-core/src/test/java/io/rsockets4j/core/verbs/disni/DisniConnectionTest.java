/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsConnectionContractTest;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** As {@link DisniVerbsTest}. */
@EnabledIfSystemProperty(named = "suite.disni", matches = "true", disabledReason = "no device with DiSNI is declared")
class DisniConnectionTest extends VerbsConnectionContractTest {
    @Override
    protected VerbsBinding binding() throws IOException {
        VerbsBinding binding = new DisniBinding();
        binding.load();
        return binding;
    }

    @Override
    protected InetAddress address() throws IOException {
        return InetAddress.getByName(System.getProperty("suite.address"));
    }
}
