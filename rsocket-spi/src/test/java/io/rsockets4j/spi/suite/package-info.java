/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The abstract test suite: the same cases run on plain TCP, which is the oracle, and on every fabric. A theme's cases
 * are in an abstract class {@code ...Cases}; {@code SocketsSuite} holds all themes; one small concrete class per fabric
 * says which sockets to use, and by {@code EngineSettings} with which settings.
 */
package io.rsockets4j.spi.suite;
