/* SPDX-License-Identifier: Apache-2.0 */
/** Programs as anyone writes them: they use the JDK alone. */
package io.rsockets4j.agent.programs;
