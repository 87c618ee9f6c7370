/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs that know nothing of rsockets4j.
 */
module io.rsockets4j.samples {
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires java.net.http;
    requires jdk.httpserver;

    exports io.rsockets4j.samples;
}
