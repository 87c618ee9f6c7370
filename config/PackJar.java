/* SPDX-License-Identifier: Apache-2.0 */

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;

/**
 * Packs a finished jar once more: as well as deflate can, without folders, and without the debug tables of libraries.
 * Our own classes keep theirs, so a stack trace has the lines of what is ours.
 */
final class PackJar {
    private static final List<String> LIBRARIES = List.of("io/rsockets4j/shaded/", "META-INF/rsockets4j-jna/");

    private PackJar() { }

    /**
     * Packs.
     *
     * @param args the jar, the packed jar, and the time of each entry as in {@code project.build.outputTimestamp}
     * @throws IOException if one cannot be read, or the other not written
     */
    public static void main(String[] args) throws IOException {
        LocalDateTime time = OffsetDateTime.parse(args[2]).toLocalDateTime();
        try (ZipFile jar = new ZipFile(args[0]);
                ZipOutputStream out = new ZipOutputStream(
                        new BufferedOutputStream(Files.newOutputStream(Path.of(args[1]))))) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            for (ZipEntry entry : Collections.list(jar.entries())) {
                if (!entry.isDirectory()) {
                    ZipEntry packed = new ZipEntry(entry.getName());
                    packed.setTimeLocal(time);
                    out.putNextEntry(packed);
                    out.write(packed(entry.getName(), jar.getInputStream(entry).readAllBytes()));
                    out.closeEntry();
                }
            }
        }
    }

    private static byte[] packed(String name, byte[] bytes) {
        if (!name.endsWith(".class") || LIBRARIES.stream().noneMatch(name::startsWith)) {
            return bytes;
        }
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(bytes).accept(writer, ClassReader.SKIP_DEBUG);
        return writer.toByteArray();
    }
}
