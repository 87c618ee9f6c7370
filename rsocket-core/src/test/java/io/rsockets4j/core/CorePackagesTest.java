/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.Engine;
import org.junit.jupiter.api.Test;

/** That no packages of this module need each other. */
class CorePackagesTest {
    @Test
    void shouldFormNoCycle() throws Exception {
        assertThat(PackageCycles.find(Engine.class)).isEmpty();
    }
}
