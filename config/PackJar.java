/* SPDX-License-Identifier: Apache-2.0 */

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;

/**
 * Packs a finished jar once more: as well as deflate can, without folders, with the classes of JNA in one entry and
 * those of picocli in another, without the debug tables of libraries, and with the groups of classes first that a
 * process needs at once. Behind each group stands what is not a class.
 * Our own classes keep theirs, so a stack trace has the lines of what is ours.
 */
final class PackJar {
    private static final String JNA = "META-INF/rsockets4j-jna/";
    private static final String PICOCLI = "io/rsockets4j/shaded/picocli/";
    private static final List<String> LIBRARIES = List.of("io/rsockets4j/shaded/", JNA);
    /** What is in one entry, by how its names begin. */
    private static final Map<String, String> TOGETHER =
            Map.of(JNA, JNA + "classes", PICOCLI, "META-INF/rsockets4j-cli/classes");

    private static final List<String> ENDS = List.of("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/licenses/ASM");
    private static final String VERSION = "META-INF/versions/\\d+/";

    private PackJar() { }

    /**
     * Packs.
     *
     * @param args the jar, the packed jar, the time of each entry as in {@code project.build.outputTimestamp}, and the
     *     file that names the first classes, with an empty line between groups
     * @throws IOException if one cannot be read, or the other not written
     */
    public static void main(String[] args) throws IOException {
        LocalDateTime time = OffsetDateTime.parse(args[2]).toLocalDateTime();
        try (ZipFile jar = new ZipFile(args[0]);
                ZipOutputStream out = new ZipOutputStream(
                        new BufferedOutputStream(Files.newOutputStream(Path.of(args[1]))))) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            Map<String, Map<String, byte[]>> together = new TreeMap<>();
            TOGETHER.keySet().forEach(prefix -> together.put(prefix, new LinkedHashMap<>()));
            for (String name : inOrder(jar, Files.readAllLines(Path.of(args[3])))) {
                ZipEntry entry = jar.getEntry(name);
                if (!entry.isDirectory()) {
                    byte[] bytes = packed(name, jar.getInputStream(entry).readAllBytes());
                    String prefix = name.endsWith(".class")
                            ? TOGETHER.keySet().stream().filter(name::startsWith).findAny().orElse(null) : null;
                    if (prefix == null) {
                        write(out, name, time, bytes);
                    } else {
                        together.get(prefix).put(name, bytes);
                    }
                }
            }
            for (Map.Entry<String, Map<String, byte[]>> classes : together.entrySet()) {
                write(out, TOGETHER.get(classes.getKey()), time, together(classes.getValue()));
            }
        }
    }

    /** Classes one after the other: its name, its length, and the class; an empty name at the end. */
    private static byte[] together(Map<String, byte[]> classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        Set<String> done = new HashSet<>();
        for (String name : classes.keySet()) {
            append(name, classes, done, out);
        }
        out.writeUTF("");
        return bytes.toByteArray();
    }

    /** Appends a class behind those that it extends and implements: so each can be defined as it comes. */
    private static void append(String name, Map<String, byte[]> classes, Set<String> done, DataOutputStream out)
            throws IOException {
        byte[] bytes = classes.get(name);
        if (bytes == null || !done.add(name)) {
            return;
        }
        ClassReader reader = new ClassReader(bytes);
        String directory = name.startsWith(JNA) ? JNA : "";
        append(directory + reader.getSuperName() + ".class", classes, done, out);
        for (String above : reader.getInterfaces()) {
            append(directory + above + ".class", classes, done, out);
        }
        out.writeUTF(name);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static Set<String> inOrder(ZipFile jar, List<String> first) throws IOException {
        Set<String> versioned = jar.stream().map(ZipEntry::getName).filter(name -> name.matches(VERSION + ".+"))
                .map(name -> name.replaceFirst(VERSION, "")).collect(Collectors.toSet());
        Set<String> names = new LinkedHashSet<>(List.of(JarFile.MANIFEST_NAME));
        Iterator<String> ends = ENDS.iterator();
        for (String line : first) {
            String name = line.replace('.', '/') + ".class";
            if (line.isEmpty()) {
                names.add(ends.next());
            } else if (!line.startsWith("#") && !versioned.contains(name)) {
                if (jar.getEntry(name) == null) {
                    throw new IOException("the first classes have no " + name);
                }
                names.add(name);
            }
        }
        names.add(ends.next());
        jar.stream().map(ZipEntry::getName).forEach(names::add);
        return names;
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
