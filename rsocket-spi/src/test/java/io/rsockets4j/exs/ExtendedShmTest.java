/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.spi.suite.kit.EngineSettings;

/** Extended sockets over shared memory. */
@EngineSettings("paths=shm")
class ExtendedShmTest extends ExtendedSocketsContract {
}
