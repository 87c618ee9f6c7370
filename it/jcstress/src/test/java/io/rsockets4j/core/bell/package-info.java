/* SPDX-License-Identifier: Apache-2.0 */
/** Bells under jcstress. */
package io.rsockets4j.core.bell;
