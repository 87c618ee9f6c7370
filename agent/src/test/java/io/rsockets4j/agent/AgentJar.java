/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** Makes agents that are not ours. */
final class AgentJar {
    private AgentJar() { }

    /** Puts one of the tests' programs into a jar, as an agent; returns the jar. */
    static Path make(Path directory, Class<?> agent) throws IOException {
        Path jar = directory.resolve("other.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", agent.getName());
        String entry = agent.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new ZipEntry(entry));
            Files.copy(ForkedJvm.programs().resolve(entry), out);
        }
        return jar;
    }
}
