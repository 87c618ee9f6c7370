/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import org.junit.jupiter.api.BeforeAll;

/** Extended sockets over plain TCP. */
class ExtendedTcpTest extends ExtendedSocketsContract {
    @BeforeAll
    static void choose() {
        use("tcp");
    }
}
