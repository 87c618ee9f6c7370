/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two versions of the jar on one host, whose shared memory is not the same: they talk by TCP, and say why. */
class VersionsIT {
    private static final String SERVER = "io.rsockets4j.agent.programs.EchoServer";
    private static final String CLIENT = "io.rsockets4j.agent.programs.EchoClient";
    private static final String RENDEZVOUS = "/io/rsockets4j/core/shm/rendezvous/Rendezvous.class";

    @TempDir
    private static Path directory;

    private static String later;

    /** There is no later version yet, so this one is made to say that it is one. */
    @BeforeAll
    static void makeTheLaterJar() throws IOException {
        Path jar = Files.copy(Path.of(System.getProperty("jar.under.test")), directory.resolve("later.jar"));
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
            Path rendezvous = files.getPath(RENDEZVOUS);
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(Files.readAllBytes(rendezvous)).accept(new LaterVersion(writer), 0);
            Files.write(rendezvous, writer.toByteArray());
        }
        later = "-javaagent:" + jar;
    }

    @Test
    void shouldTalkToALaterServerByTcpAndSayWhy() throws Exception {
        shouldFallBack(later, ForkedJvm.agent(""), "has version 2, this process knows version 1");
    }

    @Test
    void shouldBeTalkedToByALaterClientByTcp() throws Exception {
        shouldFallBack(ForkedJvm.agent(""), later, "has version 1, this process knows version 2");
    }

    @Test
    void shouldUseSharedMemoryWithinTheLaterVersion() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(later + "=summary=true", SERVER, "1")) {
            assertThat(ForkedJvm.run(later, CLIENT, server.line()).out()).isEqualTo("echoed\n");
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=1 tcp=0\n");
        }
    }

    private static void shouldFallBack(String serverAgent, String clientAgent, String why) throws Exception {
        try (ForkedJvm server = ForkedJvm.start(serverAgent, SERVER, "1")) {
            ForkedJvm.Result client = ForkedJvm.run(clientAgent, ForkedJvm.defaultLogging(), CLIENT, server.line());
            assertThat(client.out()).isEqualTo("echoed\n");
            assertThat(client.err()).contains(why, " goes by tcp: ", "Reason " + Reason.VERSION + ".");
        }
    }

    /** Writes 2 for 1 wherever the version of listener entries is in a constant. */
    private static final class LaterVersion extends ClassVisitor {
        LaterVersion(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature,
                    exceptions)) {
                @Override
                public void visitLdcInsn(Object value) {
                    super.visitLdcInsn(laterVersion(value));
                }

                @Override
                public void visitInvokeDynamicInsn(String called, String type, Handle bootstrap, Object... arguments) {
                    super.visitInvokeDynamicInsn(called, type, bootstrap,
                            Arrays.stream(arguments).map(LaterVersion::laterVersion).toArray());
                }
            };
        }

        private static Object laterVersion(Object constant) {
            if (!(constant instanceof String text)) {
                return constant;
            }
            return text.equals("1") ? "2" : text.replace("rsockets4j 1 ", "rsockets4j 2 ")
                    .replace("knows version 1", "knows version 2");
        }
    }
}
