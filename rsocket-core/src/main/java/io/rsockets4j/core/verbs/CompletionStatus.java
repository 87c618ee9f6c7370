/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

/** How a work request ended (ibv_wc_status, verbs.h). */
public final class CompletionStatus {
    /** It succeeded. */
    public static final int SUCCESS = 0;

    /** The queue pair was in error when its turn came (IBV_WC_WR_FLUSH_ERR). */
    public static final int FLUSHED = 5;

    /** The peer's memory may not be written so (IBV_WC_REM_ACCESS_ERR). */
    public static final int REMOTE_ACCESS = 10;

    /** The peer does not answer (IBV_WC_RETRY_EXC_ERR). */
    public static final int RETRIES_EXCEEDED = 12;

    /** The peer has not posted a receive for too long (IBV_WC_RNR_RETRY_EXC_ERR). */
    public static final int RNR_RETRIES_EXCEEDED = 13;

    private static final String[] NAMES = {"success", "local length error", "local queue pair operation error",
        "local context operation error", "local protection error", "flushed", "memory window bind error",
        "bad response", "local access error", "remote invalid request", "remote access error",
        "remote operation error", "transport retries exceeded", "receiver-not-ready retries exceeded",
        "local RDD violation", "remote invalid RD request", "remote aborted", "invalid EE context number",
        "invalid EE context state", "fatal error", "response timeout", "general error"};

    private CompletionStatus() { }

    /**
     * A status in words.
     *
     * @param status what {@link CompletionQueue#status} returned
     * @return for messages to people
     */
    public static String name(int status) {
        return status >= 0 && status < NAMES.length ? NAMES[status] : "status " + status;
    }
}
