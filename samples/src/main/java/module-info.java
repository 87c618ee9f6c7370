/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs that know nothing of rsockets4j.
 */
module io.rsockets4j.samples {
    requires io.netty.transport;
}
