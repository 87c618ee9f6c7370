/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.OnMemoryVerbs;

/** Extended sockets over RDMA, on verbs in memory. */
@OnMemoryVerbs
@EngineSettings("paths=rdma")
class ExtendedRdmaMemoryTest extends ExtendedSocketsContract {
}
