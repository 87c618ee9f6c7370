/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the script {@code it/figures} measures by Java in an emulated host, beside librdmacm's own programs. What calls
 * that library is in the overlay for Java 22.
 */
package io.rsockets4j.it.figures;
