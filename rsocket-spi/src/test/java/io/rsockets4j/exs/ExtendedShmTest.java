/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import org.junit.jupiter.api.BeforeAll;

/** Extended sockets over shared memory. */
class ExtendedShmTest extends ExtendedSocketsContract {
    @BeforeAll
    static void choose() {
        use("shm");
    }
}
