/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Skips a class unless the machine declares an RDMA device, by the system property {@code suite.rdma}. */
@EnabledIfSystemProperty(named = "suite.rdma", matches = "true", disabledReason = "no RDMA device is declared")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface NeedsRdma {
}
