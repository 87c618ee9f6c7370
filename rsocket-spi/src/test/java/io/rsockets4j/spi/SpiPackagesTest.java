/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.PackageCycles;
import org.junit.jupiter.api.Test;

/** That no packages of this module need each other. */
class SpiPackagesTest {
    @Test
    void shouldFormNoCycle() throws Exception {
        assertThat(PackageCycles.find(RSocketSelectorProvider.class)).isEmpty();
    }
}
