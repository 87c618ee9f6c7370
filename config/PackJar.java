/* SPDX-License-Identifier: Apache-2.0 */

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;

/**
 * Packs a finished jar once more: as well as deflate can, without folders, with the classes of JNA in one entry, and
 * without the debug tables of libraries.
 * Our own classes keep theirs, so a stack trace has the lines of what is ours.
 */
final class PackJar {
    private static final String JNA = "META-INF/rsockets4j-jna/";
    private static final List<String> LIBRARIES = List.of("io/rsockets4j/shaded/", JNA);

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
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            DataOutputStream classes = new DataOutputStream(together);
            for (ZipEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                if (!entry.isDirectory()) {
                    byte[] bytes = packed(name, jar.getInputStream(entry).readAllBytes());
                    if (name.startsWith(JNA) && name.endsWith(".class")) {
                        classes.writeUTF(name);
                        classes.writeInt(bytes.length);
                        classes.write(bytes);
                    } else {
                        write(out, name, time, bytes);
                    }
                }
            }
            classes.writeUTF("");
            write(out, JNA + "classes", time, together.toByteArray());
        }
    }

    /** With sizes known before, an entry needs no record of them behind it. */
    private static void write(ZipOutputStream out, String name, LocalDateTime time, byte[] bytes) throws IOException {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(bytes);
        deflater.finish();
        byte[] buffer = new byte[1 << 16];
        while (!deflater.finished()) {
            deflater.deflate(buffer);
        }
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry packed = new ZipEntry(name);
        packed.setTimeLocal(time);
        packed.setMethod(ZipEntry.DEFLATED);
        packed.setSize(bytes.length);
        packed.setCompressedSize(deflater.getBytesWritten());
        packed.setCrc(crc.getValue());
        deflater.end();
        out.putNextEntry(packed);
        out.write(bytes);
        out.closeEntry();
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
