/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.log;

import java.io.IOException;
import jdk.internal.loader.BootLoader;
import jdk.internal.loader.BuiltinClassLoader;

/** What a program has on its class path; here, as logs are the lowest to ask. Thread-safe; reads jars. */
public final class ClassPath {
    private ClassPath() { }

    /**
     * Whether there is a file. Asks the class path alone where it is all there is: the loader would ask each module of
     * the JDK too, where no file of a program can be, and would open the JDK's image for that.
     *
     * @param name of the file, from the root of its jar
     * @return also where a module path has it
     */
    public static boolean has(String name) {
        try {
            if (ClassLoader.getSystemClassLoader() instanceof BuiltinClassLoader loader && !BootLoader.hasClassPath()
                    && System.getProperty("jdk.module.path") == null) {
                return loader.findResource(null, name) != null;
            }
        } catch (IOException | LinkageError e) {
            return isFound(name); // without the agent, or of a later JDK whose loader is another
        }
        return isFound(name);
    }

    private static boolean isFound(String name) {
        return ClassLoader.getSystemResource(name) != null;
    }
}
