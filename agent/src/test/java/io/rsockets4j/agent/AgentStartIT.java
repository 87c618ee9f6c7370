/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a JVM with the agent starts: its arguments, and what it prints. */
class AgentStartIT {
    private static final String NOTHING = "io.rsockets4j.agent.programs.Nothing";
    private static final String PLAIN = "io.rsockets4j.agent.programs.Kinds";
    private static final String ECHO = "io.rsockets4j.agent.programs.SocketEcho";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "summery=true | unknown setting 'summery'; did you mean 'summary'?",
        "ring.bytes=1000 | cannot use rsockets4j.ring.bytes=1000",
        "paths=shm,tcp,udp | there is no path 'udp'",
        "true | 'true' is not of the form key=value"})
    void shouldRunOnTcpAfterOneLineWhenAnArgumentIsWrong(String arguments, String message) throws Exception {
        shouldRunOnTcp(ForkedJvm.run(ForkedJvm.agent(arguments), PLAIN), message);
    }

    /** The program prints the kind of its channels, and whether there are threads of ours. */
    private static void shouldRunOnTcp(ForkedJvm.Result result, String message) {
        assertThat(result.err()).startsWith("rsockets4j: ").contains(message)
                .endsWith(" Until that is mended, this program's sockets are plain TCP.\n").hasLineCount(1);
        assertThat(result.out()).isEqualTo("sun.nio.ch.SocketChannelImpl\n");
        assertThat(result.exit()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "paths=shm,summery=true | unknown setting 'summery'; did you mean 'summary'?",
        "summary=true,paths=shm,udp | there is no path 'udp'"})
    void shouldEndWithOneLineWhenAnArgumentIsWrongAndTcpIsNotAllowed(String arguments, String message)
            throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(arguments), NOTHING);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).as("the program did not run").isEmpty();
        assertThat(result.err()).startsWith("rsockets4j: ").contains(message).hasLineCount(1);
    }

    @Test
    void shouldEndWhenAPropertyAllowsNoTcp() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("summery=true"), "-Drsockets4j.paths=shm", NOTHING);
        assertThat(result.exit()).isEqualTo(1);
    }

    @Test
    void shouldCheckSystemPropertiesToo() throws Exception {
        shouldRunOnTcp(ForkedJvm.run(ForkedJvm.agent(""), "-Drsockets4j.spin.micros=lots", PLAIN),
                "rsockets4j.spin.micros=lots");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_23)
    void shouldRunOnTcpUnderASecurityManagerThatDeniesAll() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), "-Djava.security.manager", NOTHING);
        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("ran\n");
        assertThat(result.err().lines().filter(line -> !line.startsWith("WARNING: "))).singleElement().asString()
                .contains("this JVM has a security manager").endsWith(" this program's sockets are plain TCP.");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_23)
    void shouldNotRunUnderASecurityManagerWhereTcpIsNotAllowed() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("paths=shm"), "-Djava.security.manager", NOTHING);
        assertThat(result.exit()).isNotZero();
        assertThat(result.out()).as("the program did not run").isEmpty();
        assertThat(result.err()).contains("this JVM has a security manager");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_23)
    void shouldLeaveSocketsToTheJdkOnceTheProgramHasASecurityManager() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), "-Djava.security.manager=allow", PLAIN, "guard");
        assertThat(result.err().lines().filter(line -> !line.startsWith("WARNING: "))).isEmpty();
        assertThat(result.out()).isEqualTo("sun.nio.ch.SocketChannelImpl and threads of ours\n");
    }

    /** Programs use such managers so that nobody ends them, or for some of their threads alone. */
    @Test
    @EnabledForJreRange(max = JRE.JAVA_23)
    void shouldServeAProgramWhoseSecurityManagerDeniesNothing() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), "-Djava.security.manager=allow", PLAIN, "lenient");
        assertThat(result.err().lines().filter(line -> !line.startsWith("WARNING: "))).isEmpty();
        assertThat(result.out()).isEqualTo("io.rsockets4j.spi.channel.RSocketChannel and threads of ours\n");
    }

    /** What we look up once is looked up with our rights, whoever asks first. */
    @Test
    @EnabledForJreRange(max = JRE.JAVA_23)
    void shouldServeACallerWithFewerRightsThanWeHave() throws Exception {
        ForkedJvm.Result result =
                ForkedJvm.run(ForkedJvm.agent(""), "-Djava.security.manager=allow", PLAIN, "confined");
        assertThat(result.err().lines().filter(line -> !line.startsWith("WARNING: "))).isEmpty();
        assertThat(result.out()).isEqualTo("io.rsockets4j.spi.channel.RSocketChannel and threads of ours\n");
    }

    /** It has no method that the agent looks for. */
    @Test
    void shouldRunOnTcpWhereTheJdkIsAnother(@TempDir Path directory) throws Exception {
        Path changed = Files.createDirectories(directory.resolve("sun/nio/ch")).resolve("NioSocketImpl.class");
        ClassWriter writer = new ClassWriter(0);
        try (InputStream original = ClassLoader.getSystemResourceAsStream("sun/nio/ch/NioSocketImpl.class")) {
            new ClassReader(original).accept(new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                        String[] exceptions) {
                    return super.visitMethod(access, name.equals("accept") ? "receive" : name, descriptor, signature,
                            exceptions);
                }
            }, 0);
        }
        Files.write(changed, writer.toByteArray());
        ForkedJvm.Result result = ForkedJvm.run("--patch-module", "java.base=" + directory, "-Xshare:off",
                ForkedJvm.agent(""), NOTHING);
        assertThat(result.err()).startsWith("rsockets4j: cannot reach the sockets of Java ")
                .endsWith(" this program's sockets are plain TCP.\n").hasLineCount(1);
        assertThat(result.out()).isEqualTo("ran\n");
    }

    @Test
    void shouldRunWhereEveryOtherModuleIsMissing() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("--limit-modules", "java.base", ForkedJvm.agent(""), ECHO);
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("echoed\n");
    }

    @Test
    void shouldTakeSettingsFromSystemProperties() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), "-Drsockets4j.summary=true",
                "-Drsockets4j.paths=shm", ECHO);
        assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=2\n");
    }

    @Test
    void shouldPreferArgumentsToSystemProperties() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("paths=tcp,shm,summary=true"),
                "-Drsockets4j.paths=shm", NOTHING);
        assertThat(result.counts()).isEqualTo("rsockets4j: connections tcp=0 shm=0\n");
    }

    @Test
    void shouldPrintTheSummaryWithoutAnySocket() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("summary=true"), NOTHING);
        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("ran\n");
        assertThat(result.err()).matches("rsockets4j: connections shm=0 tcp=0; rsockets4j [^ ]+, paths=shm,tcp\n");
    }

    @Test
    void shouldPrintNothingOfItsOwn() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), ECHO);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).isEmpty();
    }

    @Test
    void shouldLeaveTheChoiceOfALogManagerToTheProgram() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("summary=true"),
                "io.rsockets4j.agent.programs.OwnLogManager");
        assertThat(result.out()).isEqualTo("io.rsockets4j.agent.programs.OwnLogManager$Manager\n");
    }

    @Test
    void shouldBeLoadedOnceWhenNamedTwice() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("summary=true"), ForkedJvm.agent(""), ECHO);
        assertThat(result.exit()).isZero();
        assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
    }

    @Test
    void shouldSayThatALaterLoadChangesNothing() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), ForkedJvm.agent("summary=true"), NOTHING);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("loaded before").contains("summary=true").hasLineCount(1);
    }

    @Test
    void shouldLeaveChannelsToAProviderThatWasNamed() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""),
                "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.EPollSelectorProvider", NOTHING);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("channels are left to sun.nio.ch.EPollSelectorProvider").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Djava.class.path=", "-Xbootclasspath/a:"})
    void shouldLeaveAsynchronousChannelsToAProviderOfTheProgram(String path, @TempDir Path directory)
            throws Exception {
        String provider = "io.rsockets4j.agent.programs.OwnAsynchronousProvider";
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.nio.channels.spi.AsynchronousChannelProvider"), provider);
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), path + directory + ":" + ForkedJvm.programs(),
                provider);
        assertThat(result.out()).isEqualTo(provider + "\n");
        assertThat(result.err()).contains("asynchronous channels are left to the provider").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "paths=shm,tcp", "log=warning,paths=shm,tcp"})
    void shouldServeAsALibraryOfTheJvmToo(String arguments) throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.library(arguments), "-Drsockets4j.summary=true", ECHO);
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo("echoed\n");
        assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
    }

    @Test
    void shouldServeAsALibraryThatTheEnvironmentNames() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.startBy(
                List.of("env", "JAVA_TOOL_OPTIONS=" + ForkedJvm.library("summary=true")), ECHO)) {
            ForkedJvm.Result result = jvm.result();
            assertThat(result.out()).isEqualTo("echoed\n");
            assertThat(result.counts()).startsWith("Picked up JAVA_TOOL_OPTIONS: ").hasLineCount(2)
                    .endsWith("\nrsockets4j: connections shm=2 tcp=0\n");
        }
    }

    @Test
    void shouldEndAsALibraryWhereASettingIsWrongAndTcpIsNotAllowed() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.library("paths=shm,summery=true"), NOTHING);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).as("the program did not run").isEmpty();
        assertThat(result.err()).startsWith("rsockets4j: ").contains("unknown setting 'summery'").hasLineCount(1);
    }

    /** What makes that way the quicker one. */
    @Test
    void shouldLeaveTheJvmItsArchivedModulesAsALibrary() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("-Xlog:cds", ForkedJvm.library(""), NOTHING);
        assertThat(result.out()).endsWith("ran\n").doesNotContain("full module graph: disabled");
    }

    @Test
    void shouldServeSocketsWithTcpAlone() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("paths=tcp,summary=true"), ECHO);
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo("echoed\n");
    }
}
