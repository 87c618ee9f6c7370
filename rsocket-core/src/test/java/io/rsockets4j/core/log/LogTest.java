/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogTest {
    private static final Log LOG = Log.of(LogTest.class);

    private final LogCapture capture = LogCapture.of(LogTest.class);

    @AfterEach
    void stopCapturing() {
        capture.close();
    }

    @Test
    void shouldPassOnWhatIsWrongAndNothingElseUnlessAsked() {
        Log.wantFrom(Level.WARNING);
        LOG.log(Level.DEBUG, "detail");
        LOG.log(Level.INFO, "news");
        LOG.log(Level.WARNING, "trouble");
        assertThat(capture.lines()).containsExactly("WARNING trouble");
        assertThat(LOG.passes(Level.INFO)).isFalse();
        assertThat(LOG.passes(Level.WARNING)).isTrue();
    }

    @Test
    void shouldPassOnWhatWasAskedForAtItsLevel() {
        Log.wantFrom(Level.INFO);
        LOG.log(Level.INFO, "news");
        assertThat(capture.lines()).containsExactly("INFO news");
    }

    @Test
    void shouldNotKeepTroubleToItself() {
        Log.wantFrom(Level.ERROR);
        LOG.log(Level.WARNING, "trouble");
        assertThat(capture.lines()).containsExactly("WARNING trouble");
    }
}
