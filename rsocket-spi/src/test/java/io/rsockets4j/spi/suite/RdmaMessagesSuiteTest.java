/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;

/** The suite over RDMA as iWARP devices do it: each write is followed by a message instead of having immediate data. */
@EngineSettings("rdma.immediate=false")
class RdmaMessagesSuiteTest extends RdmaMemorySuite {
}
