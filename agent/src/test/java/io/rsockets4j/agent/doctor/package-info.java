/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the checks on faked hosts. */
package io.rsockets4j.agent.doctor;
