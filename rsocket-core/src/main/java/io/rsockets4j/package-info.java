/* SPDX-License-Identifier: Apache-2.0 */
/** What programs that know of rsockets4j may use; all others need nothing. */
package io.rsockets4j;
