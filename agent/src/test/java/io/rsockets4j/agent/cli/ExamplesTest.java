/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That whoever copies an option or a manifest from the documents gets what the agent takes. */
class ExamplesTest {
    private static final Pattern ARGUMENTS = Pattern.compile("rsockets4j\\.jar=('[^']*'|[^\\s`\\\\]*)");

    static List<Path> documents() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("..", "docs"))) {
            return Stream.concat(Stream.of(Path.of("..", "README.md")), all)
                    .filter(file -> file.toString().matches(".*\\.(md|yaml|sh)")).filter(ExamplesTest::hasExample)
                    .toList();
        }
    }

    private static boolean hasExample(Path document) {
        try {
            return ARGUMENTS.matcher(Files.readString(document)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shouldBeAcceptedByTheAgent(Path document) throws IOException {
        Matcher examples = ARGUMENTS.matcher(Files.readString(document));
        while (examples.find()) {
            String arguments = examples.group(1).replace("'", "");
            if (!arguments.matches(".*\\b(KEY|key)=.*")) { // the form of all of them
                Properties properties = new Properties();
                properties.putAll(Settings.parseArguments(arguments));
                assertThat(Settings.from(properties).paths()).as(arguments).isNotEmpty();
            }
        }
    }
}
