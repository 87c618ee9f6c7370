/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command line of the jar.
 */
package io.rsockets4j.agent.cli;
