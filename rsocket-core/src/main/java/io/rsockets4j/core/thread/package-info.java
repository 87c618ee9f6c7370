/* SPDX-License-Identifier: Apache-2.0 */
/** How the threads of rsockets4j are made, and how they outlive errors. */
package io.rsockets4j.core.thread;
