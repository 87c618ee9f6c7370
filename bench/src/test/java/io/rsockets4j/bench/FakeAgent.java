/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** An agent that leaves sockets alone, and at exit claims what it was told to claim about them. */
public final class FakeAgent {

    private static final String CLAIM = "fake.claim";

    private FakeAgent() {}

    /** Makes the JVM print the claim when it exits. */
    public static void premain(String options) {
        String claim = System.getProperty(CLAIM);
        if (claim != null) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> System.err.println("rsockets4j: connections " + claim)));
        }
    }

    public static String claiming(String counts) {
        return "-D" + CLAIM + '=' + counts;
    }

    public static Path jar(Path directory) throws IOException {
        Path jar = directory.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), FakeAgent.class.getName());
        String entry = FakeAgent.class.getName().replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                InputStream contents = FakeAgent.class.getClassLoader().getResourceAsStream(entry)) {
            out.putNextEntry(new ZipEntry(entry));
            contents.transferTo(out);
        }
        return jar;
    }
}
