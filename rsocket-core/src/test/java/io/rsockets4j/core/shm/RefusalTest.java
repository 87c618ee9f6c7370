/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** How a reason travels from who refuses to who is refused. */
class RefusalTest {
    @Test
    void shouldCarryAReasonToThePeer() {
        String text = Frame.whyRefused(new PathException(Reason.VERSION, "versions 2 to 3 do not include 1"));
        assertThat(text).isEqualTo("24 version: versions 2 to 3 do not include 1");
        PathException received = Frame.refusal(text);
        assertThat(received.reason()).isEqualTo(Reason.VERSION);
        assertThat(received).hasMessage("refused by the peer: 24 version: versions 2 to 3 do not include 1");
    }

    @Test
    void shouldFindTheReasonBehindACauseOrAMessageOfTheSystem() {
        IOException wrapped = new IOException("outer", new PathException(Reason.OTHER_USER, "inner"));
        assertThat(PathException.reasonOf(wrapped)).isEqualTo(Reason.OTHER_USER);
        assertThat(PathException.reasonOf(new IOException("No space left on device"))).isEqualTo(Reason.NO_MEMORY);
        assertThat(PathException.reasonOf(new IOException("Too many open files"))).isEqualTo(Reason.NO_DESCRIPTORS);
        assertThat(PathException.reasonOf(new AccessDeniedException("/dev/x"))).isEqualTo(Reason.PERMISSION);
        assertThat(PathException.reasonOf(new IOException((String) null))).isEqualTo(Reason.FAILED);
    }

    @Test
    void shouldSendNoNumberForWhatHasNone() {
        assertThat(Frame.whyRefused(new IOException("rings of 3 bytes"))).isEqualTo("rings of 3 bytes");
    }

    @Test
    void shouldTakeAnyOtherTextOfThePeersForARefusal() {
        assertThat(Frame.refusal("for no reason").reason()).isEqualTo(Reason.REFUSED);
        assertThat(Frame.refusal("99 unheard-of: x").reason()).isEqualTo(Reason.REFUSED);
        assertThat(Frame.refusal("0 preferred: all is well").reason()).isEqualTo(Reason.REFUSED);
    }
}
