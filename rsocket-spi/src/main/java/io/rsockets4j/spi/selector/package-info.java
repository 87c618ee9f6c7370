/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The selector, which takes our channels and the JDK's: {@link io.rsockets4j.spi.selector.RSelector} keeps the
 * contract, the other types find out what is ready.
 */
package io.rsockets4j.spi.selector;
