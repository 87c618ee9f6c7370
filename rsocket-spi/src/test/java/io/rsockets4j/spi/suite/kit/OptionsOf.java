/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.net.SocketOption;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Options by the three methods that every kind of socket has, though no common type.
 *
 * @param owner whose they are, which its setter returns
 * @param names tells what is supported
 * @param getter asks for one
 * @param setter sets one
 */
record OptionsOf(Object owner, Supplier<Set<SocketOption<?>>> names, Getter getter, Setter setter)
        implements Options {
    /** As {@code getOption}. */
    interface Getter {
        Object get(SocketOption<?> name) throws IOException;
    }

    /** As {@code setOption}. */
    interface Setter {
        Object set(SocketOption<Object> name, Object value) throws IOException;
    }

    @Override
    public Set<SocketOption<?>> supported() {
        return names.get();
    }

    @Override
    public Object get(SocketOption<?> name) throws IOException {
        return getter.get(name);
    }

    @Override
    public String set(SocketOption<Object> name, Object value) throws IOException {
        return setter.set(name, value) == owner ? "set" : "set, and returned another";
    }
}
