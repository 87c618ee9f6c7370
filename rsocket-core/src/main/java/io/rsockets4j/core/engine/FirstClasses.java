/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.log.Log;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import jdk.internal.misc.Unsafe;

/**
 * The classes that the agent needs at a program's start, and those that a first connect over shared memory needs, at
 * the begin of this jar: defines each group at once. The JVM would ask the class loader for one after the other, whose
 * code is interpreted then, and takes some three times as long. {@code config/first-classes} names them. One of them is
 * for {@code java.base}.
 *
 * <p>Nothing depends on these two: a class that is not defined here comes by the loader as ever. So it is with a jar
 * that somebody has packed anew or replaced meanwhile, and with one that stands on the class path without the agent.
 * What the command line needs is in an entry of its own, and comes from there alone. Thread-safe; reads the jar.
 */
public final class FirstClasses {
    private static final Log LOG = Log.of(FirstClasses.class);
    /** Where the jar has what is defined in {@code java.base}, as the loader of other classes defines none of these. */
    public static final String JAVA_BASE = "META-INF/java-base/";

    /** Each group has less, and so has each class, unpacked. */
    static final int MOST_BYTES = 1 << 19;
    static final int LARGEST_CLASS = 1 << 16;

    // Of an entry's header in a jar: where its fields are, what some have to be, and its length without the name.
    private static final int SIGNATURE = 0x04034B50;
    private static final int FLAGS_AT = 6;
    private static final int SIZES_FOLLOW = 1 << 3;
    private static final int METHOD_AT = 8;
    private static final int DEFLATED = 8;
    private static final int PACKED_BYTES_AT = 18;
    private static final int BYTES_AT = 22;
    private static final int NAME_LENGTH_AT = 26;
    private static final int EXTRA_LENGTH_AT = 28;
    private static final int HEADER_BYTES = 30;
    private static final String CLASS = ".class";

    private static File jar; // guarded by the class' monitor, as what follows; null until the agent's group is defined
    private static long bytes;
    private static long modified;
    private static long next; // where the first connect's group begins

    private FirstClasses() { }

    /** Defines those that the agent needs, and notes which jar it is. Called once, early. */
    public static synchronized void ofAgent() {
        try {
            File file = new File(FirstClasses.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            bytes = file.length();
            modified = file.lastModified();
            next = define(file, 0);
            jar = file;
        } catch (IOException | DataFormatException | URISyntaxException | RuntimeException | LinkageError e) {
            LOG.log(System.Logger.Level.DEBUG, "the classes of the agent come one by one", e);
        }
    }

    /** Defines those of a first connect, if {@link #ofAgent} has found the jar. */
    static synchronized void ofConnect() {
        if (jar == null || jar.length() != bytes || jar.lastModified() != modified) {
            return; // else classes of two builds would meet
        }
        try {
            define(jar, next);
        } catch (IOException | DataFormatException | RuntimeException | LinkageError e) {
            LOG.log(System.Logger.Level.DEBUG, "the classes of a first connect come one by one", e);
        }
    }

    /**
     * Defines those of the library for command lines, which the jar has in one entry. They come by the loader where
     * there is no such entry: then nothing has packed them.
     *
     * @throws IOException if the jar cannot be read
     */
    public static void ofCommandLine() throws IOException {
        try (InputStream entry = FirstClasses.class.getResourceAsStream("/META-INF/rsockets4j-cli/classes")) {
            if (entry == null) {
                return;
            }
            Definer definer = new Definer();
            DataInputStream classes = new DataInputStream(new BufferedInputStream(entry));
            for (String name = classes.readUTF(); !name.isEmpty(); name = classes.readUTF()) {
                byte[] read = classes.readNBytes(classes.readInt());
                definer.define(name.substring(0, name.length() - CLASS.length()), read, read.length);
            }
        }
    }

    /**
     * Defines a group of classes.
     *
     * @param from where it begins; what is not a class may stand before it
     * @return where the next one begins
     */
    private static long define(File file, long from) throws IOException, DataFormatException {
        byte[] read = new byte[MOST_BYTES];
        int length;
        try (RandomAccessFile in = new RandomAccessFile(file, "r")) {
            in.seek(from);
            length = in.read(read);
        }
        Definer definer = new Definer();
        byte[] unpacked = new byte[LARGEST_CLASS];
        Inflater inflater = new Inflater(true);
        try {
            int at = 0;
            boolean begun = false;
            while (at + HEADER_BYTES < length && isWhole(read, at, length)) {
                int nameAt = at + HEADER_BYTES;
                int nameLength = unsignedShort(read, at + NAME_LENGTH_AT);
                String name = new String(read, nameAt, nameLength, StandardCharsets.ISO_8859_1);
                int dataAt = dataAt(read, at);
                int packed = integer(read, at + PACKED_BYTES_AT);
                if (name.endsWith(CLASS)) {
                    begun = true;
                    inflater.reset();
                    inflater.setInput(read, dataAt, packed);
                    int size = inflater.inflate(unpacked, 0, integer(read, at + BYTES_AT));
                    definer.define(name.substring(0, nameLength - CLASS.length()), unpacked, size);
                } else if (begun) {
                    break;
                }
                at = dataAt + packed;
            }
            return from + at;
        } finally {
            inflater.end();
        }
    }

    /** Whether there is an entry as our packer makes them, all of it. */
    private static boolean isWhole(byte[] read, int at, int length) {
        int packed = integer(read, at + PACKED_BYTES_AT);
        int size = integer(read, at + BYTES_AT);
        return integer(read, at) == SIGNATURE && (unsignedShort(read, at + FLAGS_AT) & SIZES_FOLLOW) == 0
                && unsignedShort(read, at + METHOD_AT) == DEFLATED && size >= 0 && size <= LARGEST_CLASS
                && packed >= 0 && packed <= length - dataAt(read, at);
    }

    private static int dataAt(byte[] read, int at) {
        return at + HEADER_BYTES + unsignedShort(read, at + NAME_LENGTH_AT) + unsignedShort(read, at + EXTRA_LENGTH_AT);
    }

    private static int unsignedShort(byte[] from, int at) {
        return Byte.toUnsignedInt(from[at]) | Byte.toUnsignedInt(from[at + 1]) << Byte.SIZE;
    }

    private static int integer(byte[] from, int at) {
        return unsignedShort(from, at) | unsignedShort(from, at + Short.BYTES) << Short.SIZE;
    }

    /** Defines under the loader's own lock of a name, so that the loader and this class never define the same twice. */
    private static final class Definer {
        private final ClassLoader loader = FirstClasses.class.getClassLoader();
        private final ProtectionDomain domain = FirstClasses.class.getProtectionDomain();
        private final Unsafe unsafe = Unsafe.getUnsafe();
        private final ConcurrentHashMap<String, Object> locks;

        @SuppressWarnings("unchecked") // as the JDK declares it
        Definer() {
            long offset = unsafe.objectFieldOffset(ClassLoader.class, "parallelLockMap");
            locks = (ConcurrentHashMap<String, Object>) unsafe.getReference(loader, offset);
            if (locks == null) {
                throw new IllegalStateException("the loader has one lock for all classes");
            }
        }

        void define(String path, byte[] from, int length) {
            if (path.startsWith(JAVA_BASE)) {
                unsafe.defineClass(path.substring(JAVA_BASE.length()), from, 0, length, null, null);
                return;
            }
            String name = path.replace('/', '.');
            Object own = new Object();
            Object known = locks.putIfAbsent(name, own);
            synchronized (known == null ? own : known) {
                try {
                    unsafe.defineClass(name, from, 0, length, loader, domain);
                } catch (LinkageError e) {
                    return; // somebody has needed it before
                }
            }
        }
    }
}
