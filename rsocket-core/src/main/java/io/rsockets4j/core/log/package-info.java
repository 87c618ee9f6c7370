/* SPDX-License-Identifier: Apache-2.0 */
/** Logging that starts no logging system before there is something to log. */
package io.rsockets4j.core.log;
