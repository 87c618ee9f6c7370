/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How the command line's reports are written for programs.
 */
package io.rsockets4j.agent.report;
