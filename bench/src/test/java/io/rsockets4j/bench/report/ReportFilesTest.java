/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportFilesTest {

    private static final Pattern REFERENCE = Pattern.compile("(?i)src\\s*=|href\\s*=|@import|url\\s*\\(|https?:|//\\w");

    @TempDir
    private Path directory;

    @Test
    void shouldReadBackWhatItWrote() throws IOException {
        Path file = directory.resolve("new/results.json");
        Report report = Reports.full();

        JsonFile.write(report, file);

        assertThat(JsonFile.read(file)).isEqualTo(report);
    }

    @Test
    void shouldUseTheNamesOfTheCommandLine() throws IOException {
        Path file = directory.resolve("results.json");

        JsonFile.write(Reports.full(), file);

        assertThat(Files.readString(file)).contains("\"routes\" : [ \"tcp\", \"shm\" ]", "\"api\" : \"nio\"");
    }

    @Test
    void shouldNeedNothingElse() throws IOException {
        String page = HtmlReport.render(Reports.full());

        assertThat(REFERENCE.matcher(page).results().map(match -> page.substring(match.start(), match.end() + 20)))
                .isEmpty();
    }

    @Test
    void shouldEscapeText() throws IOException {
        assertThat(HtmlReport.render(Reports.full()))
                .contains("a &lt;fast&gt; one", "stream &lt;64 B&gt; &amp; more", "exited &quot;badly&quot;")
                .doesNotContain("<fast>");
    }

    @Test
    void shouldDrawWellFormedPlotsWithinTheirFrame() throws Exception {
        Matcher plots = Pattern.compile("<svg .*?</svg>", Pattern.DOTALL).matcher(HtmlReport.render(Reports.full()));
        int count = 0;
        while (plots.find()) {
            count++;
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(plots.group())));
            assertThat(plots.group()).doesNotContain("NaN", "Infinity");
        }
        assertThat(count).isEqualTo(4);
    }

    @Test
    void shouldWriteAPageEvenWithoutFigures() throws IOException {
        Path file = directory.resolve("new/report.html");

        HtmlReport.write(Reports.report(), file);

        assertThat(file).content().contains("<h1>").doesNotContain("<svg");
    }

    @Test
    void shouldPutAllHeadlinesIntoTheTable() {
        String table = TextTable.render(Reports.full());

        assertThat(table.lines().map(String::length).max(Integer::compare).orElseThrow())
                .isLessThan(160);
        assertThat(table).contains("start: exit", "service, 4 threads: second second");
        assertThat(table).contains("1,000 idle: cpu", "1 MiB", "round trip, parked", "ratio");
    }
}
