/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DisniErrorsTest {
    @Test
    void shouldFindTheNumberThatTheFabricActsUpon() {
        IOException thrown = new IOException("j2c::regMr: ibv_reg_mr failed: Cannot allocate memory\n");
        VerbsException exception = DisniErrors.of("ibv_reg_mr", thrown);
        assertThat(exception).hasMessage("ibv_reg_mr: Cannot allocate memory (errno 12)").hasCause(thrown);
        assertThat(exception.errno()).isEqualTo(12);
    }

    @Test
    void shouldKeepTextsThatItDoesNotKnow() {
        VerbsException exception = DisniErrors.of("verb", new IOException("Trying to bind() using a closed ID"));
        assertThat(exception).hasMessage("verb: Trying to bind() using a closed ID");
        assertThat(exception.errno()).isZero();
    }

    @Test
    void shouldLiveWithoutAMessage() {
        assertThat(DisniErrors.of("verb", new IOException())).hasMessage("verb: null");
    }
}
