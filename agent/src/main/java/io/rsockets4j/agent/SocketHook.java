/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.spi.channel.ChannelDoor;
import io.rsockets4j.spi.net.SocketDoor;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.SocketImpl;
import java.nio.channels.Channels;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import sun.nio.ch.FileChannelImpl;
import sun.nio.ch.NioSocketImpl;

/**
 * Puts {@link SocketDoor} and {@link ChannelDoor} into the JDK.
 *
 * <p>In the JDK, {@code SocketImpl.createPlatformSocketImpl} passes its result through a function of ours, and
 * {@code NioSocketImpl.accept} its argument. The JDK's classes cannot see ours, so the functions are fields of
 * {@code java.net.RSockets4jDoor}, a class beside them, which is there already. For channels see {@link ChannelHook}.
 *
 * <p>It uses Byte Buddy's bundled ASM, which takes a few milliseconds to start; Byte Buddy's own layer takes a quarter
 * of a second.
 */
final class SocketHook implements ClassFileTransformer, Runnable {
    private static final Log LOG = Log.of(SocketHook.class);
    private static final String SOCKET_IMPL = "java/net/SocketImpl";
    private static final String NIO_SOCKET_IMPL = "sun/nio/ch/NioSocketImpl";
    static final String DOOR = "java/net/RSockets4jDoor";
    private static final String WRAPPER = "wrapper";
    private static final String UNWRAPPER = "unwrapper";
    private static final String BI_FUNCTION = "java/util/function/BiFunction";
    private static final String UNARY_OPERATOR = "java/util/function/UnaryOperator";

    private final Instrumentation instrumentation;
    private volatile boolean channels; // whether to hook what is done for channels; set once
    private final Set<String> changed = ConcurrentHashMap.newKeySet(); // classes; one of channels by who loads it
    private volatile RuntimeException failure; // what the JVM would not report

    SocketHook(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /**
     * Installs the hook for good.
     *
     * @throws IllegalStateException if this JVM's sockets do not look as expected
     */
    void install() {
        try {
            SocketDoor.install();
            ChannelDoor.install(this);
            instrumentation.addTransformer(this, true);
            change(SocketImpl.class, NioSocketImpl.class);
        } catch (UnmodifiableClassException e) {
            throw new IllegalStateException("rsockets4j: cannot reach this JVM's sockets: " + e, e);
        }
        if (failure != null || !changed.containsAll(List.of(SOCKET_IMPL, NIO_SOCKET_IMPL))) {
            leave(SocketImpl.class, NioSocketImpl.class);
            throw new IllegalStateException("rsockets4j: cannot reach the sockets of Java " + Runtime.version() + " ("
                    + System.getProperty("java.vendor") + ")" + (failure == null ? "" : ", " + failure)
                    + "; use a JDK that is built from OpenJDK, or a newer rsockets4j.jar", failure);
        }
    }

    /** What is done for channels, once the program has one: most of the hook's time, which many never need. */
    @Override
    public void run() {
        channels = true;
        try {
            change(Channels.class, FileChannelImpl.class);
        } catch (UnmodifiableClassException e) {
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: transfers between channels and files are slow: " + e);
        }
    }

    /** Who names the classes has loaded them, and changed thereby those that were not there: that is quicker. */
    private void change(Class<?>... classes) throws UnmodifiableClassException {
        for (Class<?> type : classes) {
            if (!changed.contains(type.getName().replace('.', '/'))) {
                instrumentation.retransformClasses(type);
            }
        }
    }

    /** Gives the JDK its own code back, where only some of it was found. */
    private void leave(Class<?>... hooked) {
        instrumentation.removeTransformer(this);
        try {
            instrumentation.retransformClasses(hooked);
        } catch (UnmodifiableClassException e) {
            failure = new IllegalStateException(e); // told with the message
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        boolean socket = SOCKET_IMPL.equals(name) || NIO_SOCKET_IMPL.equals(name);
        boolean channel = ChannelHook.CHANNELS.equals(name) || ChannelHook.FILE_CHANNEL.equals(name);
        if (loader != null || !socket && !(channel && channels)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, 0);
            reader.accept(new HookedClass(writer), 0);
            if (channel) {
                changed.add(name);
            }
            return writer.toByteArray();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    private final class HookedClass extends ClassVisitor {
        private String type;

        HookedClass(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String superName,
                String[] interfaces) {
            type = name;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                String[] exceptions) {
            MethodVisitor visitor = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (type.equals(SOCKET_IMPL) && name.equals("createPlatformSocketImpl")) {
                changed.add(type);
                return new WrapResult(visitor);
            }
            if (type.equals(NIO_SOCKET_IMPL) && name.equals("accept")) {
                changed.add(type);
                return new UnwrapArgument(visitor);
            }
            return channels ? ChannelHook.around(visitor, type, name, descriptor) : visitor;
        }
    }

    /** {@code return x} becomes {@code return (SocketImpl) RSockets4jDoor.wrapper.apply(x, server)}. */
    private static final class WrapResult extends MethodVisitor {
        private static final int EXTRA_STACK = 2;

        WrapResult(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                super.visitFieldInsn(Opcodes.GETSTATIC, DOOR, WRAPPER, "L" + BI_FUNCTION + ";");
                super.visitInsn(Opcodes.SWAP);
                super.visitVarInsn(Opcodes.ILOAD, 0);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Boolean", "valueOf",
                        "(Z)Ljava/lang/Boolean;", false);
                super.visitMethodInsn(Opcodes.INVOKEINTERFACE, BI_FUNCTION, "apply",
                        "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", true);
                super.visitTypeInsn(Opcodes.CHECKCAST, SOCKET_IMPL);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(maxStack + EXTRA_STACK, maxLocals);
        }
    }

    /** Begins with {@code si = (SocketImpl) RSockets4jDoor.unwrapper.apply(si)}. */
    private static final class UnwrapArgument extends MethodVisitor {
        private static final int STACK = 2;

        UnwrapArgument(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitFieldInsn(Opcodes.GETSTATIC, DOOR, UNWRAPPER, "L" + UNARY_OPERATOR + ";");
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitMethodInsn(Opcodes.INVOKEINTERFACE, UNARY_OPERATOR, "apply",
                    "(Ljava/lang/Object;)Ljava/lang/Object;", true);
            super.visitTypeInsn(Opcodes.CHECKCAST, SOCKET_IMPL);
            super.visitVarInsn(Opcodes.ASTORE, 1);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(Math.max(maxStack, STACK), maxLocals);
        }
    }
}
