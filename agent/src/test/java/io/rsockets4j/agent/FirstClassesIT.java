/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes at the begin of the jar are defined at once; where that cannot be, they come by the loader. */
class FirstClassesIT {
    private static final String ECHO = "io.rsockets4j.agent.programs.SocketEcho";
    private static final String NEVER_ALONE = "io.rsockets4j.core.shm.InitiatorSession";
    private static final String OF_AGENT = "io.rsockets4j.agent.SocketHook";
    /** The tests' programs, lambdas, and what has a loader of its own. */
    private static final String OTHERS = ".*(\\.agent\\.programs\\.|/0x|\\.jna\\.|\\.JnaFutex).*";
    /** Of a server and a client in one process, which has more classes than the client that the groups are made for. */
    private static final int MOST_ONE_BY_ONE = 60;
    private static final int MANY = 150;

    @TempDir
    private Path directory;

    private Path log;
    private Path jar;

    @BeforeEach
    void copyTheJar() throws IOException {
        log = directory.resolve("classes.log");
        jar = Files.copy(Path.of(System.getProperty("jar.under.test")), directory.resolve("with space.jar"));
    }

    @Test
    void shouldDefineMostClassesAtOnce() throws Exception {
        shouldEcho(ForkedJvm.run(logged(), "-javaagent:" + jar, ECHO));
        assertThat(classes(true)).contains(OF_AGENT, NEVER_ALONE).hasSizeLessThan(MANY + MOST_ONE_BY_ONE)
                .hasSizeGreaterThan(MANY);
        assertThat(classes(false)).doesNotContain(OF_AGENT, NEVER_ALONE).hasSizeLessThan(MOST_ONE_BY_ONE);
    }

    @Test
    void shouldTakeNoneFromAJarThatWasReplaced() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start(logged(), "-javaagent:" + jar, ECHO, "wait")) {
            assertThat(jvm.line()).isEqualTo("ready");
            Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
            jvm.order();
            shouldEcho(jvm.result());
        }
        assertThat(classes(true)).contains(OF_AGENT);
        assertThat(classes(false)).contains(NEVER_ALONE);
    }

    @Test
    void shouldServeFromAJarThatWasPackedAnew() throws Exception {
        Path anew = directory.resolve("anew.jar");
        try (JarFile from = new JarFile(jar.toFile()); OutputStream file = Files.newOutputStream(anew);
                JarOutputStream out = new JarOutputStream(file)) {
            for (JarEntry entry : from.stream().sorted(Comparator.comparing(JarEntry::getName)).toList()) {
                out.putNextEntry(new JarEntry(entry.getName())); // with its sizes behind it
                from.getInputStream(entry).transferTo(out);
            }
        }
        shouldEcho(ForkedJvm.run(logged(), "-javaagent:" + anew, ECHO));
        assertThat(classes(true)).isEmpty();
    }

    private static void shouldEcho(ForkedJvm.Result result) {
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("echoed\n");
    }

    private String logged() {
        return "-Xlog:class+load:file=" + log + ":none";
    }

    /** Our classes that were defined at once, without a look for each; or those that the loader found. */
    private List<String> classes(boolean atOnce) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.startsWith("io.rsockets4j.") && !line.matches(OTHERS))
                    .filter(line -> line.contains("source: __JVM_DefineClass__") == atOnce)
                    .map(line -> line.substring(0, line.indexOf(' '))).toList();
        }
    }
}
