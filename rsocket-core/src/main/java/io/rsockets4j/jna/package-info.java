/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the JNA in this jar calls instead of {@code java.util.logging}: the build puts this package's name, of the same
 * length, in its classes. Only that JNA sees the package; it logs nothing, and throws where something is wrong.
 */
package io.rsockets4j.jna;
