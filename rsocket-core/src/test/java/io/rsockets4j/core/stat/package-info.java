/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of snapshots and how they are asked for. */
package io.rsockets4j.core.stat;
