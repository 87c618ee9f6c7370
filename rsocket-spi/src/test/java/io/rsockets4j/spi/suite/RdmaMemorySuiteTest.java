/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

/** The suite over RDMA with the settings that users have. */
class RdmaMemorySuiteTest extends RdmaMemorySuite {
}
