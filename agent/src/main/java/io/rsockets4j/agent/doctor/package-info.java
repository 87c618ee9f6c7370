/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a host must have for each path: one class per check, and the command that runs them.
 */
package io.rsockets4j.agent.doctor;
