/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Names the settings with which the engine starts for a test class, for instance
 * {@code @EngineSettings({"paths=shm", "ring.bytes=8192"})}. Those of a superclass hold as well, unless the class has
 * others of the same names. Each such class has a {@link SharedDirectory} of its own, {@code shm.dir}.
 *
 * <p>The engine reads its settings once, when the first socket is made: each of these classes needs a virtual machine.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(EngineSettingsExtension.class)
public @interface EngineSettings {
    /** @return names without the prefix, and values, as {@code name=value} */
    String[] value() default {};
}
