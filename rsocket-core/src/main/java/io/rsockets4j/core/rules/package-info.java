/* SPDX-License-Identifier: Apache-2.0 */
/** Rules: which paths a connection may take, by direction, address and port. */
package io.rsockets4j.core.rules;
