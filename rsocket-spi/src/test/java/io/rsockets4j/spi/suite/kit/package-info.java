/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the suite's cases are made of: the {@code Sockets} that they run on, helper threads that cannot get lost,
 * content that is checked byte by byte, time limits with a dump of all stacks, and child virtual machines.
 */
package io.rsockets4j.spi.suite.kit;
