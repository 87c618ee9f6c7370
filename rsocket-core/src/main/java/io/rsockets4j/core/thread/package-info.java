/* SPDX-License-Identifier: Apache-2.0 */
/** How the threads of rsockets4j are made, how they outlive errors, and their clock. */
package io.rsockets4j.core.thread;
