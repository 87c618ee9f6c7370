/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

/** Memory that was just used was not there. In place of the error of the JVM, which comes late. */
public final class TakenBackError extends InternalError {
    private static final long serialVersionUID = 1L;

    TakenBackError(long found) {
        super("a process of this user has taken back memory that it shares: " + Long.toHexString(found));
    }
}
