/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import com.sun.jna.Native;
import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A program that uses JNA itself: before us, after us, or not at all. */
final class BesideAnotherJna {
    private static final Words WORD = new Words(ByteBuffer.allocateDirect(Integer.BYTES));

    private BesideAnotherJna() { }

    public static void main(String[] args) throws ReflectiveOperationException {
        boolean before = args[0].equals("before");
        if (before) {
            use();
        }
        String[] properties = properties();
        FutexCall futex = JnaLoader.loadCall();
        require(Arrays.equals(properties, properties()), "the properties have changed: " + Arrays.toString(properties())
                + " were " + Arrays.toString(properties));
        require(properties[0] == null ^ before, "before: " + Arrays.toString(properties));
        require(futex.getClass().getClassLoader() != BesideAnotherJna.class.getClassLoader(), "its loader is ours");
        require(futex.call(WORD.address(), 1, 1, 0) == 0, "it wakes nobody");
        if (!args[0].equals("never")) {
            use();
            require(futex.call(WORD.address(), 1, 1, 0) == 0, "it works no more");
            require("true".equals(System.getProperty("jna.loaded")), "the program's JNA is disturbed");
        }
        System.out.println("undisturbed");
    }

    private static void use() {
        long memory = Native.malloc(16);
        require(memory != 0, "no memory");
        Native.free(memory);
    }

    private static String[] properties() {
        return new String[] {System.getProperty("jna.loaded"), System.getProperty("jnidispatch.path"),
            System.getProperty("jna.platform.library.path")};
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }
}
