/* SPDX-License-Identifier: Apache-2.0 */
/** How long the first connections of a new process take. */
package io.rsockets4j.it.connects;
