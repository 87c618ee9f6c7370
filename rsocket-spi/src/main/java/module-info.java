/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the JDK loads.
 */
module io.rsockets4j.spi {
    requires io.rsockets4j.core;
}
