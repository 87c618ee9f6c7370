/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.spi.suite.kit.EngineSettings;

/** Extended sockets over plain TCP. */
@EngineSettings("paths=tcp")
class ExtendedTcpTest extends ExtendedSocketsContract {
}
