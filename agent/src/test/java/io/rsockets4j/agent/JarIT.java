/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the finished jar promises to those who start it, load it, or put it beside their own libraries. */
class JarIT {

    private static final File JAR = new File(System.getProperty("jar.under.test"));
    private static final String SERVICES = "META-INF/services/";
    private static final int FIRST_WHOLE = 22;
    private static final int MAJOR_OF_JAVA_8 = 52;
    private static final int MAX_BYTES = 1_500_000;
    private static final int LEAST_FIRST_CLASSES = 40;
    private static final int MOST_OF_A_HEADER = 200;

    @Test
    void shouldNameItsEntryPointsInTheManifest() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Main-Class")).isEqualTo("io.rsockets4j.agent.cli.Main");
            assertThat(manifest.getValue("Premain-Class")).isEqualTo("io.rsockets4j.agent.Premain");
            assertThat(manifest.getValue("Agent-Class")).isEqualTo("io.rsockets4j.agent.Premain");
            assertThat(manifest.getValue("Can-Redefine-Classes")).isEqualTo("true");
            assertThat(manifest.getValue("Can-Retransform-Classes")).isEqualTo("true");
            assertThat(manifest.getValue("Multi-Release")).isEqualTo("true");
            assertThat(manifest.getValue("Add-Exports")).contains("java.base/sun.nio.ch", "java.base/sun.net",
                    "java.base/jdk.internal.misc");
            assertThat(manifest.getValue("Launcher-Agent-Class")).as("an agent only where asked for").isNull();
        }
    }

    @Test
    void shouldHaveAnEntryPointThatJava8CanRead() throws IOException {
        try (JarFile jar = new JarFile(JAR);
                InputStream in = jar.getInputStream(jar.getEntry("io/rsockets4j/agent/Premain.class"))) {
            assertThat(ByteBuffer.wrap(in.readNBytes(Long.BYTES)).getShort(Long.BYTES - Short.BYTES))
                    .isEqualTo((short) MAJOR_OF_JAVA_8);
        }
    }

    @Test
    void shouldHoldNoClassOutsideItsOwnPackages() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            List<String> strangers = jar.stream().map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .filter(name -> !name.matches("(META-INF/versions/\\d+/)?io/rsockets4j/.*"))
                    .filter(name -> !name.startsWith("META-INF/rsockets4j-jna/")) // only our loader looks there
                    .toList();
            assertThat(strangers).containsExactly("META-INF/java-base/java/net/RSockets4jDoor.class");
        }
    }

    @Test
    void shouldKeepLicencesOfWhatItHolds() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE")).contains("rsockets4j", "Byte Buddy", "ASM", "picocli", "JNA");
            assertThat(text(jar, "META-INF/licenses/ASM")).contains("INRIA");
        }
    }

    @Test
    void shouldListWhatItHolds() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            assertThat(text(jar, "META-INF/sbom/rsockets4j.cdx.json"))
                    .contains("rsockets4j-core", "rsockets4j-spi", "byte-buddy", "picocli", "jna")
                    .doesNotContain("assertj", "netty");
        }
    }

    @Test
    void shouldHoldEachProviderThatItsServiceFilesName() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            List<String> missing = new ArrayList<>();
            for (String file : jar.stream().map(ZipEntry::getName).filter(n -> n.matches(SERVICES + ".+")).toList()) {
                text(jar, file).lines().map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(provider -> !provider.isEmpty())
                        .filter(provider -> jar.getEntry(provider.replace('.', '/') + ".class") == null)
                        .forEach(provider -> missing.add(file + ": " + provider));
            }
            assertThat(missing).isEmpty();
        }
    }

    /** As {@code FirstClasses} reads them, which passes over what it does not understand. */
    @Test
    void shouldBeginWithTwoGroupsOfClasses() throws Exception {
        int most = constant("MOST_BYTES");
        int largest = constant("LARGEST_CLASS");
        try (JarInputStream entries = new JarInputStream(new FileInputStream(JAR)); JarFile jar = new JarFile(JAR)) {
            assertThat(entries.getManifest()).as("the first entry").isNotNull();
            for (String begin : List.of("META-INF/java-base/java/net/", "io/rsockets4j/core/")) {
                List<JarEntry> group = nextClasses(entries, jar);
                assertThat(group).hasSizeGreaterThan(LEAST_FIRST_CLASSES);
                assertThat(group.get(0).getName()).startsWith(begin);
                assertThat(group).allMatch(entry -> entry.getSize() < largest)
                        .noneMatch(entry -> jar.stream().anyMatch(other ->
                                other.getName().matches("META-INF/versions/\\d+/.+") && other.getName()
                                        .endsWith("/" + entry.getName())));
                assertThat(group.stream().mapToLong(entry -> entry.getCompressedSize() + MOST_OF_A_HEADER).sum())
                        .isLessThan(most);
            }
        }
    }

    private static int constant(String name) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {JAR.toURI().toURL()}, null)) {
            Class<?> type = Class.forName("io.rsockets4j.core.engine.FirstClasses", false, loader);
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.getInt(null);
        }
    }

    private static List<JarEntry> nextClasses(JarInputStream entries, JarFile jar) throws IOException {
        List<JarEntry> group = new ArrayList<>();
        JarEntry next = entries.getNextJarEntry();
        while (next != null && next.getName().endsWith(".class")) {
            group.add(jar.getJarEntry(next.getName()));
            next = entries.getNextJarEntry();
        }
        return group;
    }

    @Test
    void shouldHoldOfByteBuddyOnlyWhatItUses() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.contains("bytebuddy"))
                    .filter(name -> name.endsWith(".class")))
                    .isNotEmpty().allMatch(name -> name.startsWith("io/rsockets4j/shaded/bytebuddy/jar/asm/"));
        }
        assertThat(JAR).size().isLessThanOrEqualTo(MAX_BYTES);
    }

    @Test
    void shouldHoldLinesOfItsOwnClassesOnly() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            List<String> withLines = new ArrayList<>();
            for (String name : jar.stream().map(ZipEntry::getName).filter(n -> n.endsWith(".class")).toList()) {
                if (text(jar, name).contains("LineNumberTable")) { // ASM knows the word
                    withLines.add(name);
                }
            }
            assertThat(withLines).contains("io/rsockets4j/agent/Agent.class")
                    .noneMatch(name -> name.matches("io/rsockets4j/shaded/picocli/.*|META-INF/rsockets4j-jna/.*"));
            for (String together : List.of("META-INF/rsockets4j-jna/classes", "META-INF/rsockets4j-cli/classes")) {
                assertThat(text(jar, together)).contains("Code").doesNotContain("LineNumberTable");
            }
        }
    }

    @Test
    void shouldTellItsVersionAndWhatItLacks() throws Exception {
        String version = java("-jar", JAR.getPath(), "--version");
        assertThat(version).matches("(?s)rsockets4j \\d+\\.\\d+\\.\\d+\\S*\\R.*");
        try (JarFile jar = new JarFile(JAR)) {
            int builtBy = Integer.parseInt(jar.getManifest().getMainAttributes().getValue("Build-Jdk-Spec"));
            boolean whole = jar.stream().anyMatch(entry -> entry.getName().startsWith("META-INF/versions/22/io/"));
            assertThat(whole).as("whole, built by %s", builtBy).isEqualTo(builtBy >= FIRST_WHOLE);
            assertThat(version.lines().skip(1).toList()).isEqualTo(whole ? List.of() : List.of("This jar lacks the part"
                    + " for Java 22 and later, which uses java.lang.foreign: it was built with an older JDK."));
        }
    }

    @Test
    void shouldStartAsAnAgentWithoutAWord() throws Exception {
        assertThat(java("-javaagent:" + JAR.getPath(), "--version")).isEqualTo(java("--version"));
    }

    private static String text(JarFile jar, String entry) throws IOException {
        assertThat(jar.getEntry(entry)).as(entry).isNotNull();
        try (InputStream in = jar.getInputStream(jar.getEntry(entry))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Runs this JVM's java with the given arguments; returns all that it printed, once it ended well. */
    private static String java(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
