/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.PathState;
import io.rsockets4j.core.reason.Reason;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How findings are told. */
class DiagnosisTest {
    private static final Finding GOOD = Finding.ok("kernel", "Linux \"6\"");
    private static final Finding POOR = Finding.warning("nofile", "8", "few", "ulimit -n 9");
    private static final Finding BAD = Finding.error("java", "8", "old", "upgrade");
    private static final PathState TCP = new PathState("tcp", true, Reason.PREFERRED, "connected");
    private static final PathState NO_SHM = new PathState("shm", false, Reason.NOT_OFFERED, "nobody");

    @Test
    void shouldHaveTheWorstLevel() {
        assertThat(new Diagnosis(List.of(GOOD, POOR), null, List.of(TCP)).level()).isEqualTo(Severity.WARNING);
        assertThat(new Diagnosis(List.of(BAD, POOR), null, List.of(TCP)).level()).isEqualTo(Severity.ERROR);
    }

    @Test
    void shouldBeAnErrorWhenNoPathLeadsToThePeer() {
        assertThat(new Diagnosis(List.of(GOOD), "h:1", List.of(NO_SHM)).level()).isEqualTo(Severity.ERROR);
        assertThat(new Diagnosis(List.of(GOOD), "h:1", List.of(NO_SHM, TCP)).level()).isEqualTo(Severity.OK);
    }

    @Test
    void shouldTellPeopleWhatToDo() {
        StringWriter text = new StringWriter();
        new Diagnosis(List.of(GOOD, POOR), "h:1", List.of(NO_SHM, TCP)).print(new PrintWriter(text));
        assertThat(text.toString()).contains("mend it: ulimit -n 9", "reason 20 not-offered", "Paths from here to h:1");
    }

    @Test
    void shouldTellProgramsInJson() {
        String expected = "{'level':'ok','findings':[{'subject':'kernel','level':'ok','found':'Linux \\'6\\'',"
                + "'means':'','mend':''}],'peer':null,'paths':[{'path':'tcp','works':true,'reason':0,"
                + "'name':'preferred','sentence':'" + Reason.PREFERRED.sentence() + "','detail':'connected'}]}";
        assertThat(new Diagnosis(List.of(GOOD), null, List.of(TCP)).json()).isEqualTo(expected.replace('\'', '"'));
    }
}
