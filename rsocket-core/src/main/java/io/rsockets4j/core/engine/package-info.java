/* SPDX-License-Identifier: Apache-2.0 */
/** The engine of a process: puts settings and fabrics together and chooses the path of each connection. */
package io.rsockets4j.core.engine;
