/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.spi.suite.kit.EngineSettings;

/** Extended sockets over shared memory whose bytes the receiver copies from the sender's memory, however few they are. */
@EngineSettings({"paths=shm", "ring.bytes=8192", "direct.registered.min.bytes=1"})
class ExtendedShmDirectTest extends ExtendedSocketsContract {
}
