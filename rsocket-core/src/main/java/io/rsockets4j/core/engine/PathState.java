/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.reason.Reason;

/**
 * Whether one path works.
 *
 * @param path for example {@code shm}
 * @param works whether a connection can take it
 * @param reason why, or why not
 * @param detail what was tried, or what went wrong, with names and values
 */
public record PathState(String path, boolean works, Reason reason, String detail) { }
