/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import io.rsockets4j.spi.RSocketAsynchronousChannelProvider;
import io.rsockets4j.spi.RSocketSelectorProvider;
import io.rsockets4j.spi.channel.ChannelDoor;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * For a JVM that has chosen its providers of channels before the agent came, as another agent or the program has
 * opened a channel. From then on {@code provider()} returns ours, and a selector of the JDK's with which a program
 * registers a channel of ours asks {@link ChannelDoor}. A JVM that has not chosen reads the system
 * properties, and stays as it is.
 */
final class ProviderHook implements ClassFileTransformer {
    private static final String SELECTORS = "selectors";
    private static final String ASYNCHRONOUS = "asynchronous";
    private static final String REGISTER = "register";

    private static final String SELECTOR_PROVIDER = "java/nio/channels/spi/SelectorProvider";
    private static final String ASYNCHRONOUS_PROVIDER = "java/nio/channels/spi/AsynchronousChannelProvider";
    private static final String SELECTOR = "sun/nio/ch/SelectorImpl";

    private final Instrumentation instrumentation;
    private final List<Class<?>> hooked = new ArrayList<>(); // by the thread that installs
    private int hooks; // how many methods were found; by that thread
    private RuntimeException failure; // what the JVM would not report

    ProviderHook(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Whether this JVM has a selector of the JDK's, or had one. */
    static boolean hasSelectors() {
        return isInitialized("sun.nio.ch.EPollSelectorImpl");
    }

    /** Whether this JVM has opened a channel or a selector before. */
    static boolean hasChosenChannels() {
        return isInitialized("java.nio.channels.spi.SelectorProvider$Holder");
    }

    /** The same of asynchronous channels. */
    static boolean hasChosenAsynchronous() {
        return isInitialized("java.nio.channels.spi.AsynchronousChannelProvider$ProviderHolder");
    }

    private static boolean isInitialized(String name) {
        try {
            return !Unsafe.getUnsafe().shouldBeInitialized(Class.forName(name, false, null));
        } catch (ClassNotFoundException e) {
            return false; // another JDK: nothing is known
        }
    }

    /** Channels and selectors that are opened from now on are ours. */
    void takeChannels() throws ReflectiveOperationException {
        ChannelDoor.provideSelectors(new RSocketSelectorProvider());
        hooked.add(SelectorProvider.class);
        hooked.add(Class.forName(SELECTOR.replace('/', '.')));
    }

    /** The same for asynchronous channels. */
    void takeAsynchronous() {
        ChannelDoor.provideAsynchronous(new RSocketAsynchronousChannelProvider());
        hooked.add(AsynchronousChannelProvider.class);
    }

    /**
     * Installs what was asked for.
     *
     * @throws IllegalStateException if this JVM's classes do not look as expected; its channels stay the JDK's
     */
    void install() {
        if (hooked.isEmpty()) {
            return;
        }
        instrumentation.addTransformer(this, true);
        try {
            instrumentation.retransformClasses(hooked.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException e) {
            failure = new IllegalStateException(e);
        }
        if (failure != null || hooks != hooked.size()) {
            instrumentation.removeTransformer(this);
            throw new IllegalStateException("rsockets4j: channels stay the JDK's: this JVM has already chosen"
                    + " its provider, and takes no other" + (failure == null ? "" : ", " + failure)
                    + "; put -javaagent:rsockets4j.jar before other agents", failure);
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        if (type == null || !hooked.contains(type)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, 0);
            reader.accept(new HookedClass(writer, name), 0);
            return writer.toByteArray();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    private final class HookedClass extends ClassVisitor {
        private final String type;

        HookedClass(ClassVisitor next, String type) {
            super(Opcodes.ASM9, next);
            this.type = type;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                String[] exceptions) {
            MethodVisitor visitor = super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean provider = name.equals("provider") && descriptor.startsWith("()");
            boolean register = type.equals(SELECTOR) && name.equals("register");
            if (!provider && !register) {
                return visitor;
            }
            hooks++;
            return register ? new RegisterFirst(visitor, descriptor) : new ProviderFirst(visitor,
                    type.equals(ASYNCHRONOUS_PROVIDER) ? ASYNCHRONOUS : SELECTORS, descriptor);
        }
    }

    /** Asks with nothing; the answer is the provider. */
    private static final class ProviderFirst extends Question {
        ProviderFirst(MethodVisitor next, String field, String descriptor) {
            super(next, field, descriptor);
        }

        @Override
        void pushArgument() {
            visitInsn(Opcodes.ACONST_NULL);
        }
    }

    /** Asks with the selector and all arguments; the answer is the key. */
    private static final class RegisterFirst extends Question {
        RegisterFirst(MethodVisitor next, String descriptor) {
            super(next, REGISTER, descriptor);
        }

        @Override
        void pushArgument() {
            pushAll();
        }
    }
}
