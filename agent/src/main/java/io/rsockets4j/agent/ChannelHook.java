/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.util.Map;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Where the JDK treats its own channels better than others, makes it ask {@link io.rsockets4j.spi.channel.ChannelDoor}
 * first: then streams around a channel hold no lock that reader and writer share, and transfers between a channel and
 * a file take no detour by small arrays. Programs work without this, so it leaves a JDK that lacks these methods as it
 * is.
 */
final class ChannelHook {
    static final String CHANNELS = "java/nio/channels/Channels";
    static final String FILE_CHANNEL = "sun/nio/ch/FileChannelImpl";

    private static final String INPUT = "input";
    private static final String OUTPUT = "output";
    private static final String TRANSFER_TO = "transferTo";
    private static final String TRANSFER_FROM = "transferFrom";

    private static final String CALLABLE = "java/util/concurrent/Callable";
    private static final String LONG = "java/lang/Long";

    private static final String READABLE = "Ljava/nio/channels/ReadableByteChannel;";
    private static final String WRITABLE = "Ljava/nio/channels/WritableByteChannel;";

    /** The door's field to ask, by the method's name and descriptor. */
    private static final Map<String, String> FIELDS = Map.of(
            "newInputStream(" + READABLE + ")Ljava/io/InputStream;", INPUT,
            "newOutputStream(" + WRITABLE + ")Ljava/io/OutputStream;", OUTPUT,
            "transferToArbitraryChannel(JJ" + WRITABLE + ")J", TRANSFER_TO,
            "transferFromArbitraryChannel(" + READABLE + "JJ)J", TRANSFER_FROM);

    private ChannelHook() { }

    /**
     * Changes a method, if it is one of those.
     *
     * @return what is to visit the method instead of {@code next}, or {@code next}
     */
    static MethodVisitor around(MethodVisitor next, String type, String name, String descriptor) {
        String field = FIELDS.get(name.concat(descriptor)); // the operator would cost 20 ms, here its first use
        if (field == null) {
            return next;
        }
        return type.equals(CHANNELS) ? new StreamFirst(next, field, descriptor)
                : new TransferFirst(next, field, descriptor);
    }

    /** Asks with the channel; the answer is the stream. */
    private static final class StreamFirst extends Question {
        StreamFirst(MethodVisitor next, String field, String descriptor) {
            super(next, field, descriptor);
        }

        @Override
        void pushArgument() {
            visitVarInsn(Opcodes.ALOAD, 0);
        }
    }

    /** Asks with the file and all arguments, in an array; the answer is the transfer, which is then called. */
    private static final class TransferFirst extends Question {
        TransferFirst(MethodVisitor next, String field, String descriptor) {
            super(next, field, descriptor);
        }

        @Override
        void pushArgument() {
            pushAll();
        }

        @Override
        String answerType() {
            return CALLABLE;
        }

        @Override
        void returnAnswer() {
            visitMethodInsn(Opcodes.INVOKEINTERFACE, CALLABLE, "call", "()L" + OBJECT + ";", true);
            visitTypeInsn(Opcodes.CHECKCAST, LONG);
            visitMethodInsn(Opcodes.INVOKEVIRTUAL, LONG, "longValue", "()J", false);
            visitInsn(Opcodes.LRETURN);
        }
    }
}
