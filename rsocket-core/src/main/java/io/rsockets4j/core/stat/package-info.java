/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a process tells other processes of its user about its connections and sessions: a snapshot, by a Unix-domain
 * socket each.
 */
package io.rsockets4j.core.stat;
