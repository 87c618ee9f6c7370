/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportFilesTest {

    private static final Pattern REFERENCE = Pattern.compile("(?i)src\\s*=|href\\s*=|@import|url\\s*\\(|https?:|//\\w");

    /** A name, which nobody asks for. */
    private static final String SVG_NAMESPACE = "http://www.w3.org/2000/svg";

    @TempDir
    private Path directory;

    @Test
    void shouldReadBackWhatItWrote() throws IOException {
        Path file = directory.resolve("new/results.json");
        BenchReport report = Reports.full();

        JsonFile.write(report, file);

        assertThat(JsonFile.read(file)).isEqualTo(report);
    }

    @Test
    void shouldUseTheNamesOfTheCommandLine() throws IOException {
        Path file = directory.resolve("results.json");

        JsonFile.write(Reports.full(), file);

        assertThat(Files.readString(file)).contains("\"routes\" : [ \"tcp\", \"shm\" ]", "\"api\" : \"nio\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"service-17", "service-25", "shm-17", "start-17"})
    void shouldShowTheRunsThatTheDocumentsTellOf(String name) throws IOException {
        BenchReport report = JsonFile.read(Path.of("../docs/benchmarks", name + ".json"));

        assertThat(TextTable.render(report)).contains(" tcp ", " shm ");
        assertThat(data(HtmlPage.render(report)).get("report").get("rows")).hasSameSizeAs(report.rows());
    }

    @Test
    void shouldNeedNothingElse() throws IOException {
        String page = HtmlPage.render(Reports.full()).replace(SVG_NAMESPACE, "");

        assertThat(REFERENCE.matcher(page).results().map(match -> page.substring(match.start(), match.end() + 20)))
                .isEmpty();
    }

    @Test
    void shouldGiveThePageTheReportAndTheWordsForIt() throws IOException {
        JsonNode data = data(HtmlPage.render(Reports.full()));

        assertThat(data.at("/report/environment/CPU").asText()).isEqualTo("a <fast> one");
        assertThat(data.at("/report/failures/0/reason").asText()).isEqualTo("exited \"badly\" </script>");
        assertThat(data.at("/routes/shm/title").asText()).isEqualTo("shared memory");
        assertThat(data.at("/apis/nio").asText()).isEqualTo("blocking NIO");
        assertThat(data.at("/units/BYTES/suffixes/1").asText()).isEqualTo(" KiB");
        assertThat(data.at("/methods/stream (stream)").asText()).startsWith("One connection");
    }

    @Test
    void shouldWriteAPageEvenWithoutFigures() throws IOException {
        Path file = directory.resolve("new/report.html");

        HtmlPage.write(Reports.report(), file);

        assertThat(data(Files.readString(file)).at("/tables")).hasSize(2).allMatch(each -> each.at("/lines").isArray()
                && each.at("/lines").isEmpty());
    }

    /** What stands between the tags, as a browser sees it: up to the first end of a script. */
    private static JsonNode data(String page) throws IOException {
        String start = "id=\"data\">";
        int from = page.indexOf(start) + start.length();
        return new ObjectMapper().readTree(page.substring(from, page.indexOf("</script>", from)));
    }

    @Test
    void shouldPutAllHeadlinesIntoTheTable() {
        String table = TextTable.render(Reports.full());

        assertThat(table.lines())
                .filteredOn(line -> !line.equals(ExsTable.LEGEND))
                .allMatch(line -> line.length() < 160);
        assertThat(table).contains("start: exit", "service, 4 threads: second second");
        assertThat(table).contains("1,000 idle: cpu", "1 MiB", "round trip, parked", "ratio");
    }
}
