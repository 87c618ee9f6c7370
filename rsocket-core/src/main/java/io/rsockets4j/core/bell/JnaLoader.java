/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URL;

/**
 * Loads JNA out of a folder of this jar, and the class that uses it. This JNA and one of the program's, of whatever
 * version, do not see each other. Puts back the properties that JNA sets for the whole process.
 */
final class JnaLoader extends ClassLoader {
    private static final String FOLDER = "META-INF/rsockets4j-jna/";
    private static final String JNA = "com.sun.jna.";
    private static final String USER = "io.rsockets4j.core.bell.JnaFutex";
    private static final String[] PROPERTIES = {"jna.loaded", "jnidispatch.path"};

    private final ClassLoader ours;

    private JnaLoader(ClassLoader ours) {
        super("rsockets4j-jna", ours);
        this.ours = ours;
    }

    /** Loads what sleeps by JNA. */
    static Futex loadFutex() throws ReflectiveOperationException {
        String[] before = new String[PROPERTIES.length];
        for (int i = 0; i < before.length; i++) {
            before[i] = System.getProperty(PROPERTIES[i]);
        }
        try {
            Class<?> type = new JnaLoader(JnaLoader.class.getClassLoader()).loadClass(USER);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (Futex) constructor.newInstance();
        } finally {
            for (int i = 0; i < before.length; i++) {
                if (before[i] == null) {
                    System.clearProperty(PROPERTIES[i]);
                } else {
                    System.setProperty(PROPERTIES[i], before[i]);
                }
            }
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(JNA) && !name.equals(USER)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = ours.getResourceAsStream(name.equals(USER) ? file : FOLDER + file)) {
            if (in == null) {
                throw new ClassNotFoundException("this jar was packed without " + name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** JNA finds its native part as a resource beside its classes. */
    @Override
    public URL getResource(String name) {
        return ours.getResource(FOLDER + name);
    }
}
