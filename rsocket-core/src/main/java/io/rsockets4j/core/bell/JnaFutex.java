/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import com.sun.jna.FromNativeConverter;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ToNativeConverter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

/** The futex call by JNA's direct mapping. Loaded by {@link JnaLoader}, beside a JNA that only this class sees. */
final class JnaFutex implements FutexCall {
    private static final String SYSCALL = "syscall";
    private static final String ALL_LONG = "(JJJJJJJ)J";
    private static final int PARAMETERS = 7;
    private static final long NUMBER = FutexCall.number();

    static {
        try {
            register();
        } catch (Throwable e) { // as the handle declares it
            throw new LinkageError("JNA registers no method", e);
        }
    }

    JnaFutex() { }

    /**
     * Does what {@link Native#register} does with a method of longs alone, by parts of it that are not public. It would
     * also make what it needs for structures, which takes half of the time that JNA takes to load.
     */
    private static void register() throws Throwable {
        Class<?>[] parameters = new Class<?>[PARAMETERS];
        Arrays.fill(parameters, long.class);
        Method mapped = JnaFutex.class.getDeclaredMethod(SYSCALL, parameters);
        Field field = Class.forName("com.sun.jna.Structure$FFIType$FFITypes").getDeclaredField("ffi_type_sint64");
        field.setAccessible(true);
        long type = Pointer.nativeValue((Pointer) field.get(null));
        long[] types = new long[PARAMETERS];
        Arrays.fill(types, type);
        Pointer function = NativeLibrary.getProcess().getGlobalVariableAddress(SYSCALL);
        MethodHandle register = MethodHandles.privateLookupIn(Native.class, MethodHandles.lookup()).findStatic(
                Native.class, "registerMethod", MethodType.methodType(long.class, Class.class, String.class,
                String.class, int[].class, long[].class, long[].class, int.class, long.class, long.class, Method.class,
                long.class, int.class, boolean.class, ToNativeConverter[].class, FromNativeConverter.class,
                String.class)); // reflection would look at all methods, and load AWT's classes for them
        long handle = (long) register.invokeExact(JnaFutex.class, SYSCALL, ALL_LONG, new int[PARAMETERS], types, types,
                0, type, type, mapped, Pointer.nativeValue(function), 0, false, new ToNativeConverter[PARAMETERS],
                (FromNativeConverter) null, "UTF-8");
        if (handle == 0) {
            throw new LinkageError("JNA registers nothing");
        }
    }

    @Override
    public long call(long address, long operation, long value, long timeLimit) {
        return syscall(NUMBER, address, operation, value, timeLimit, 0, 0);
    }

    private static native long syscall(long number, long address, long operation, long value, long timeLimit,
            long address2, long value3);
}
