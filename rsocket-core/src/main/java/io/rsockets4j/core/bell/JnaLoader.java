/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static java.lang.System.Logger.Level.DEBUG;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.rsockets4j.core.log.Log;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Loads JNA out of a folder of this jar, and the class that uses it. This JNA and one of the program's, of whatever
 * version, do not see each other. Puts back the properties that are set for the whole process meanwhile.
 */
final class JnaLoader extends ClassLoader {
    private static final Log LOG = Log.of(JnaLoader.class);
    private static final String NATIVE_PART = "libjnidispatch.so";
    private static final String FOLDER = "META-INF/rsockets4j-jna/";
    private static final String PACKED = FOLDER + "classes"; // all of JNA's in one entry, where this is a jar
    private static final String UNPACKED_PREFIX = "rsockets4j-";
    private static final long LEFT_BEHIND_MILLIS = 60_000;
    private static final int MOST_LOOKED_AT = 4096; // files of the folder
    private static final String JNA = "com.sun.jna.";
    private static final String USER = "io.rsockets4j.core.bell.JnaFutex";
    private static final String USED = "io.rsockets4j.jna."; // by JNA
    /** Where JNA looks for libraries of the system. It would run a program, ldconfig, to find out. */
    private static final String LIBRARY_PATH = "jna.platform.library.path";
    private static final String[] PROPERTIES = {"jna.loaded", "jnidispatch.path", LIBRARY_PATH};

    private final ClassLoader ours;
    private JarFile jar; // guarded by this; that of this class while JNA is loaded, or null
    private Map<String, byte[]> packed; // guarded by this; what PACKED has, while JNA is loaded, or null
    private Path unpacked; // JNA's native part while it is loaded, or null

    private JnaLoader(ClassLoader ours) {
        super("rsockets4j-jna", ours);
        this.ours = ours;
    }

    /** Loads the system call by JNA. */
    static FutexCall loadCall() throws ReflectiveOperationException {
        String[] before = new String[PROPERTIES.length];
        for (int i = 0; i < before.length; i++) {
            before[i] = System.getProperty(PROPERTIES[i]);
        }
        if (System.getProperty(LIBRARY_PATH) == null) {
            System.setProperty(LIBRARY_PATH, "/usr/lib64:/lib64:/usr/lib:/lib");
        }
        JnaLoader loader = new JnaLoader(JnaLoader.class.getClassLoader());
        try {
            loader.openJar();
            Class.forName(JNA + "Native", true, loader); // maps the native part
            loader.removeUnpacked();
            Class<?> type = loader.loadClass(USER);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (FutexCall) constructor.newInstance();
        } finally {
            loader.closeJar();
            loader.removeUnpacked();
            for (int i = 0; i < before.length; i++) {
                if (before[i] == null) {
                    System.clearProperty(PROPERTIES[i]);
                } else {
                    System.setProperty(PROPERTIES[i], before[i]);
                }
            }
            removeLeftBehind();
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean isOurs = name.equals(USER) || name.startsWith(USED);
        if (!isOurs && !name.startsWith(JNA)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name, isOurs ? "" : FOLDER);
        }
    }

    private Class<?> define(String name, String folder) throws ClassNotFoundException {
        try {
            byte[] bytes = read(folder + name.replace('.', '/') + ".class");
            if (bytes == null) {
                throw new ClassNotFoundException("this jar was packed without " + name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** By the jar, as a loader looks for a resource in all of the JDK first, and then makes it a URL. */
    private synchronized byte[] read(String entry) throws IOException {
        if (entry.startsWith(FOLDER) && entry.endsWith(".class")) {
            byte[] known = (packed == null ? unpackClasses() : packed).get(entry);
            if (known != null) {
                return known;
            }
        }
        ZipEntry found = jar == null ? null : jar.getEntry(entry);
        try (InputStream in = found == null ? ours.getResourceAsStream(entry) : jar.getInputStream(found)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /** The classes of JNA by their entries: the name, the length and the bytes of each, and an empty name. */
    private Map<String, byte[]> unpackClasses() throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        ZipEntry found = jar == null ? null : jar.getEntry(PACKED);
        try (InputStream in = found == null ? ours.getResourceAsStream(PACKED) : jar.getInputStream(found)) {
            if (in != null) {
                DataInputStream data = new DataInputStream(new ByteArrayInputStream(in.readAllBytes()));
                for (String name = data.readUTF(); !name.isEmpty(); name = data.readUTF()) {
                    byte[] bytes = new byte[data.readInt()];
                    data.readFully(bytes);
                    classes.put(name, bytes);
                }
            }
        }
        return classes;
    }

    /** Opens the jar that the classes are packed in, if they are. */
    private synchronized void openJar() {
        URL all = ours.getResource(PACKED);
        try {
            if (all != null && all.openConnection() instanceof JarURLConnection connection) {
                connection.setUseCaches(false);
                jar = connection.getJarFile();
            }
            packed = unpackClasses();
        } catch (IOException e) {
            LOG.log(DEBUG, "rsockets4j: classes are looked for one by one", e);
        }
    }

    private synchronized void closeJar() {
        JarFile opened = jar;
        jar = null;
        packed = null;
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (IOException e) {
            LOG.log(DEBUG, "rsockets4j: " + opened.getName() + " stays open", e);
        }
    }

    /**
     * JNA finds its native part as a resource beside its classes. What is a file already it does not unpack by itself,
     * for which the JDK would start a security provider.
     */
    @Override
    public URL getResource(String name) {
        String entry = FOLDER + name;
        if (!name.endsWith(NATIVE_PART)) {
            return ours.getResource(entry);
        }
        try {
            byte[] bytes = read(entry);
            return bytes == null ? null : unpack(bytes).toUri().toURL();
        } catch (IOException e) {
            return ours.getResource(entry); // JNA tries by itself, and says what is wrong
        }
    }

    /** Where the native part goes: as with any JNA, users name another folder where the usual one holds no programs. */
    private static String folder() {
        return System.getProperty("jna.tmpdir", System.getProperty("java.io.tmpdir"));
    }

    /** Makes a file that nobody else has or can write; where there is one of its name already, this fails. */
    private Path unpack(byte[] part) throws IOException {
        Path file = Path.of(folder(),
                UNPACKED_PREFIX + Long.toHexString(ThreadLocalRandom.current().nextLong()) + NATIVE_PART);
        try (SeekableByteChannel out = Files.newByteChannel(file, Set.of(CREATE_NEW, WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            unpacked = file;
            ByteBuffer bytes = ByteBuffer.wrap(part);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
        return file;
    }

    /** The process has mapped the native part by now, or never will. */
    private void removeUnpacked() {
        if (unpacked != null && !unpacked.toFile().delete()) {
            LOG.log(DEBUG, "rsockets4j: " + unpacked + " is left behind");
        }
        unpacked = null;
    }

    /** Removes the native parts of processes that were killed before they did so themselves. */
    private static void removeLeftBehind() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(folder()))) {
            int looked = 0;
            for (Iterator<Path> all = files.iterator(); looked < MOST_LOOKED_AT && all.hasNext(); looked++) {
                removeIfLeftBehind(all.next());
            }
        } catch (IOException | DirectoryIteratorException | SecurityException e) { // the next one may see to it
            LOG.log(DEBUG, "rsockets4j: " + folder() + " cannot be read", e);
        }
    }

    private static void removeIfLeftBehind(Path path) {
        String name = path.getFileName().toString();
        if (name.startsWith(UNPACKED_PREFIX) && name.endsWith(NATIVE_PART)) {
            File file = path.toFile();
            if (file.lastModified() < System.currentTimeMillis() - LEFT_BEHIND_MILLIS && !file.delete()) {
                LOG.log(DEBUG, "rsockets4j: " + file + " belongs to somebody else");
            }
        }
    }
}
