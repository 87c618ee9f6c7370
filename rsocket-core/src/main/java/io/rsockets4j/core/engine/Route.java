/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.reason.Reason;

/**
 * How a connect is to go on.
 *
 * @param link established, or null: connect by TCP
 * @param reason why this path
 * @param fallback to be run once TCP has connected: says in the log why it is TCP, now or when
 *     that is known. Or null: there is nothing to say
 */
public record Route(Link link, Reason reason, Runnable fallback) { }
