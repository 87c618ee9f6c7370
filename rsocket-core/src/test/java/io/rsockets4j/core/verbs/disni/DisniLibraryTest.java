/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.disni.program.LoadBinding;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each cause why DiSNI cannot be used comes with its fix, in a virtual machine of its own. */
class DisniLibraryTest {
    private static final String EXPORT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";
    private static final String NO_LIBRARIES = "-Djava.library.path=/nowhere";

    private final String core = place(VerbsBinding.class.getName());
    private final String tests = place(LoadBinding.class.getName());
    private final String disni = place("com.ibm.disni.verbs.impl.NativeDispatcher");
    private final String slf4j = place("org.slf4j.Logger");

    @TempDir
    private Path directory;

    @Test
    void shouldNameTheExport() throws Exception {
        assertThat(load(classPath(core, tests, disni, slf4j)))
                .contains("start Java with --add-exports java.base/sun.nio.ch=ALL-UNNAMED or with -javaagent:");
    }

    @Test
    void shouldNameTheExportToTheModule() throws Exception {
        assertThat(load("--module-path=" + core, "--add-modules=io.rsockets4j.core", classPath(tests, disni, slf4j)))
                .contains("--add-exports java.base/sun.nio.ch=io.rsockets4j.core or with -javaagent:");
    }

    @Test
    void shouldNameTheJar() throws Exception {
        assertThat(load(EXPORT, classPath(core, tests, slf4j)))
                .contains("add com.ibm.disni:disni:2.1 and org.slf4j:slf4j-api; or use Java 22 or later");
    }

    @Test
    void shouldNameTheLoggingJar() throws Exception {
        assertThat(load(EXPORT, classPath(core, tests, disni))).contains("add org.slf4j:slf4j-api");
    }

    @Test
    void shouldNameTheNativeLibraryAndWhereItWasLookedFor() throws Exception {
        assertThat(load(EXPORT, NO_LIBRARIES, classPath(core, tests, disni, slf4j)))
                .contains("libdisni.so").contains("java.library.path is '/nowhere'");
    }

    @Test
    void shouldReachDisniOnTheClassPathFromTheModule() throws Exception {
        assertThat(load("--module-path=" + core, "--add-modules=io.rsockets4j.core",
                "--add-exports=java.base/sun.nio.ch=io.rsockets4j.core", NO_LIBRARIES, classPath(tests, disni, slf4j)))
                .contains("libdisni.so");
    }

    @Test
    void shouldAdviseAgainstTheBootClassPath() throws Exception {
        assertThat(load(EXPORT, "-Xbootclasspath/a:" + core, classPath(tests, disni, slf4j)))
                .contains("rather than -Xbootclasspath/a");
    }

    /** What a new virtual machine says. */
    private String load(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.add(LoadBinding.class.getName());
        File output = directory.resolve("output").toFile();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
        builder.environment().remove("LD_LIBRARY_PATH");
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output.toPath(), StandardCharsets.UTF_8);
    }

    private static String classPath(String... parts) {
        return "-Djava.class.path=" + String.join(File.pathSeparator, parts);
    }

    /** The jar or directory of a class, which is not initialized. */
    private static String place(String className) {
        try {
            return Path.of(Class.forName(className, false, DisniLibraryTest.class.getClassLoader())
                    .getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
