/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsBindings;
import io.rsockets4j.core.verbs.VerbsConnectionContractTest;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** As {@link FfmVerbsTest}. */
@EnabledIfSystemProperty(named = "suite.rdma", matches = "true", disabledReason = "no RDMA device is declared")
class FfmConnectionTest extends VerbsConnectionContractTest {
    @Override
    protected VerbsBinding binding() throws IOException {
        return VerbsBindings.load(FfmBinding.NAME);
    }

    @Override
    protected InetAddress address() throws IOException {
        return InetAddress.getByName(System.getProperty("suite.address"));
    }
}
