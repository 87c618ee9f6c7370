/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the JDK loads: the selector provider, its channels and the socket implementations.
 */
package io.rsockets4j.spi;
