/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs that know nothing of rsockets4j.
 */
package io.rsockets4j.samples;
