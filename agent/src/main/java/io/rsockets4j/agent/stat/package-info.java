/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The live connections of all processes of a user, as the command line shows them.
 */
package io.rsockets4j.agent.stat;
