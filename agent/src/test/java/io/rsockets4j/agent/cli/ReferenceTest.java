/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** That the pages in docs and the command line's help say what the code says. */
class ReferenceTest {
    @ParameterizedTest
    @CsvSource({"config, configuration.md", "reasons, reasons.md"})
    void shouldBeThePageInDocs(String topic, String page) throws IOException {
        assertThat(Path.of("..", "docs", page))
                .as("java -jar agent/target/rsockets4j.jar help %s --markdown > docs/%s", topic, page)
                .hasContent(help(topic, "--markdown"));
    }

    @Test
    void shouldNameEverySettingWithItsDefault() {
        String text = help("config");
        for (Setting setting : Setting.values()) {
            assertThat(text).contains("\n" + setting.key() + " = ", setting.description(), setting.range());
        }
    }

    @Test
    void shouldExplainEveryReason() {
        String text = help("reasons");
        for (Reason reason : Reason.values()) {
            assertThat(text).contains("\n" + reason + " (", reason.sentence(), reason.advice());
        }
    }

    @Test
    void shouldNameTheTopicsWhereThereIsNoHelp() {
        StringWriter errors = new StringWriter();
        int exit = Main.commandLine().setErr(new PrintWriter(errors)).execute("help", "resons");
        assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("There is no help on 'resons'; try 'config', 'reasons' or one of");
    }

    private static String help(String... arguments) {
        StringWriter out = new StringWriter();
        String[] line = new String[arguments.length + 1];
        line[0] = "help";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute(line)).isZero();
        return out.toString();
    }
}
