/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Makes a method of the JDK begin with a question to us. Unless our answer is null, the method returns it. */
abstract class Question extends MethodVisitor {
    static final String FUNCTION = "java/util/function/Function";
    static final String OBJECT = "java/lang/Object";
    private static final String LONG = "java/lang/Long";
    private static final String INTEGER = "java/lang/Integer";
    private static final int STACK = 8;

    final String field;
    final String descriptor;

    Question(MethodVisitor next, String field, String descriptor) {
        super(Opcodes.ASM9, next);
        this.field = field;
        this.descriptor = descriptor;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        visitFieldInsn(Opcodes.GETSTATIC, SocketHook.DOOR, field, "L" + FUNCTION + ";");
        pushArgument();
        visitMethodInsn(Opcodes.INVOKEINTERFACE, FUNCTION, "apply", "(L" + OBJECT + ";)L" + OBJECT + ";", true);
        String answer = answerType();
        Label asEver = new Label();
        visitTypeInsn(Opcodes.CHECKCAST, answer);
        visitInsn(Opcodes.DUP);
        visitJumpInsn(Opcodes.IFNULL, asEver);
        returnAnswer();
        visitLabel(asEver);
        visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {answer});
        visitInsn(Opcodes.POP);
    }

    /** Puts what the function is asked with on the stack. */
    abstract void pushArgument();

    /** What the answer is; by default what the method returns. */
    String answerType() {
        return Type.getReturnType(descriptor).getInternalName();
    }

    /** Returns the answer that is on the stack. */
    void returnAnswer() {
        visitInsn(Opcodes.ARETURN);
    }

    /** Puts an array with the object and all arguments of an instance's method on the stack. */
    final void pushAll() {
        Type[] types = Type.getArgumentTypes(descriptor);
        visitIntInsn(Opcodes.BIPUSH, 1 + types.length);
        visitTypeInsn(Opcodes.ANEWARRAY, OBJECT);
        visitInsn(Opcodes.DUP);
        visitInsn(Opcodes.ICONST_0);
        visitVarInsn(Opcodes.ALOAD, 0);
        visitInsn(Opcodes.AASTORE);
        int local = 1;
        for (int i = 0; i < types.length; i++) {
            visitInsn(Opcodes.DUP);
            visitIntInsn(Opcodes.BIPUSH, 1 + i);
            visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), local);
            if (types[i].equals(Type.LONG_TYPE)) {
                visitMethodInsn(Opcodes.INVOKESTATIC, LONG, "valueOf", "(J)L" + LONG + ";", false);
            } else if (types[i].equals(Type.INT_TYPE)) {
                visitMethodInsn(Opcodes.INVOKESTATIC, INTEGER, "valueOf", "(I)L" + INTEGER + ";", false);
            }
            visitInsn(Opcodes.AASTORE);
            local += types[i].getSize();
        }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(Math.max(maxStack, STACK), maxLocals);
    }
}
