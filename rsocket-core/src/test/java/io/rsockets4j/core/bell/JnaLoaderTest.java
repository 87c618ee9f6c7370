/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Member;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program's own JNA and ours, in a virtual machine of their own. */
class JnaLoaderTest {
    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void shouldLeaveAProgramsOwnJnaUndisturbed(String when) throws Exception {
        assertThat(run("-Xlog:disable", when, Futex.class, BesideAnotherJna.class, Native.class))
                .isEqualTo("undisturbed\n");
    }

    @Test
    void shouldDoWithoutAProgramsJna() throws Exception {
        assertThat(run("-Xlog:disable", "never", Futex.class, BesideAnotherJna.class)).isEqualTo("undisturbed\n");
    }

    @Test
    void shouldRemoveWhatKilledProcessesLeftBehind() throws Exception {
        Path left = Files.createFile(temporary.resolve("rsockets4j-1234libjnidispatch.so"));
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(90)));
        Path other = Files.createFile(temporary.resolve("a-program's-libjnidispatch.so"));
        Files.setLastModifiedTime(other, FileTime.from(Instant.now().minusSeconds(90)));
        assertThat(run("-Xlog:disable", "never", Futex.class, BesideAnotherJna.class)).isEqualTo("undisturbed\n");
        assertThat(left).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void shouldLeaveWhatAnotherProcessMayBeAboutToMap() throws Exception {
        Path recent = Files.createFile(temporary.resolve("rsockets4j-5678libjnidispatch.so"));
        assertThat(run("-Xlog:disable", "never", Futex.class, BesideAnotherJna.class)).isEqualTo("undisturbed\n");
        assertThat(recent).exists();
    }

    /** As where the usual folder may hold no programs; here it is none at all. */
    @Test
    void shouldUnpackIntoTheFolderNamedForJna() throws Exception {
        Path usual = Files.createFile(temporary.resolve("a-file"));
        Path named = Files.createDirectory(temporary.resolve("named"));
        Path left = Files.createFile(named.resolve("rsockets4j-9abclibjnidispatch.so"));
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(90)));
        List<String> options = List.of("-Djava.io.tmpdir=" + usual, "-Djna.tmpdir=" + named);
        assertThat(run(options, "never", Futex.class, BesideAnotherJna.class)).isEqualTo("undisturbed\n");
        assertThat(named).isEmptyDirectory();
    }

    @Test
    void shouldLeaveTheLoggingOfTheJdkForTheProgramToConfigure() throws Exception {
        assertThat(run("-Xlog:class+load", "never", Futex.class, BesideAnotherJna.class))
                .contains(" com.sun.jna.Native ", "undisturbed\n").doesNotContain("java.util.logging");
    }

    /** Structures take annotations, and those proxies: half of the time that JNA takes to load. */
    @Test
    void shouldNotMakeReadyForStructures() throws Exception {
        assertThat(run("-Xlog:class+load", "never", Futex.class, BesideAnotherJna.class))
                .contains(" com.sun.jna.NativeLibrary ", "undisturbed\n")
                .doesNotContain("com.sun.jna.Structure$FFIType ", "java.lang.reflect.Proxy ", "java.awt");
    }

    @Test
    void shouldHaveAllThatItsJnaCallsInsteadOfTheJdksLogging() throws Exception {
        Path folder = Path.of(place(JnaLoader.class), "META-INF", "rsockets4j-jna");
        List<String> classes;
        try (Stream<Path> files = Files.walk(folder)) {
            classes = files.map(Path::toString).filter(file -> file.endsWith(".class")).toList();
        }
        List<String> command = new ArrayList<>(List.of("-p", "-c"));
        command.addAll(classes);
        StringWriter text = new StringWriter();
        ToolProvider.findFirst("javap").orElseThrow()
                .run(new PrintWriter(text), new PrintWriter(text), command.toArray(new String[0]));
        Set<String> used = new TreeSet<>();
        Matcher matcher = Pattern
                .compile("(?:Field|Method) (io/rsockets4j/jna/\\w+)\\.(\\w+):").matcher(text.toString());
        while (matcher.find()) {
            used.add(matcher.group(1).replace('/', '.') + ' ' + matcher.group(2));
        }
        assertThat(used).contains("io.rsockets4j.jna.Logger log").allSatisfy(member -> {
            String[] parts = member.split(" ");
            Class<?> type = Class.forName(parts[0]);
            assertThat(Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getFields())))
                    .extracting(Member::getName).contains(parts[1]);
        });
    }

    private String run(String option, String when, Class<?>... classPath) throws IOException, InterruptedException {
        return run(List.of(option, "-Djava.io.tmpdir=" + temporary), when, classPath);
    }

    private String run(List<String> options, String when, Class<?>... classPath)
            throws IOException, InterruptedException {
        StringBuilder places = new StringBuilder();
        for (Class<?> type : classPath) {
            places.append(place(type)).append(File.pathSeparator);
        }
        String[] before = temporary.toFile().list();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", places.toString(),
                BesideAnotherJna.class.getName(), when));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(temporary.toFile().list()).as("files of ours").isSubsetOf(before);
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
