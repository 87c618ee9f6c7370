/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

class OutOfLineTest {
    private static final OutOfLine IS_LONGER = new OutOfLine(MethodHandles.lookup(), "isLonger", int.class, long.class);

    private boolean isLonger(int limit, long length) {
        return length > limit;
    }

    @Test
    void shouldCallAPrivateMethod() throws Throwable {
        assertThat((boolean) IS_LONGER.handle().invokeExact(this, 3, 4L)).isTrue();
        assertThat((boolean) IS_LONGER.handle().invokeExact(this, 4, 4L)).isFalse();
    }

    @Test
    void shouldSayWhatIsMissing() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();

        assertThatThrownBy(() -> new OutOfLine(lookup, "isLonger", int.class))
                .isInstanceOf(AssertionError.class)
                .cause()
                .isInstanceOf(NoSuchMethodException.class)
                .hasMessageContaining("isLonger(int)");
    }

    /** The compilers take a final field's handle for a constant, and inline what it calls, in ever more cases. */
    @Test
    void shouldHoldItsHandleWhereTheCompilersTakeItForNoConstant() throws ReflectiveOperationException {
        assertThat(Modifier.isFinal(OutOfLine.class.getDeclaredField("handle").getModifiers())).isFalse();
    }

    @Test
    void shouldPassOnWhatAMethodThrowsUndeclared() {
        RuntimeException exception = new IllegalStateException();
        Error error = new NoClassDefFoundError();
        Exception checked = new IOException();

        assertThat(OutOfLine.unchecked(exception)).isSameAs(exception);
        assertThatThrownBy(() -> OutOfLine.unchecked(error)).isSameAs(error);
        assertThatThrownBy(() -> OutOfLine.unchecked(checked)).isInstanceOf(AssertionError.class).hasCause(checked);
    }
}
