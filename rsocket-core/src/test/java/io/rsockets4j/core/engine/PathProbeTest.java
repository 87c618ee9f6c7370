/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.Settings;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** What a diagnosis says of a path that this process cannot use. */
class PathProbeTest {
    /** The engine would put off to open it. */
    @Test
    void shouldOpenAPathThoughNobodyHasNamedIt() {
        Properties properties = new Properties();
        properties.setProperty("rsockets4j.rdma.binding", "disni"); // whose native part is not in this build
        PathState state = new PathProbe(Settings.from(properties)).here("rdma");
        assertThat(state.works()).isFalse();
        assertThat(state.reason()).isEqualTo(Reason.NO_BINDING);
    }
}
