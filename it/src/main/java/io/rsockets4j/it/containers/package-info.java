/* SPDX-License-Identifier: Apache-2.0 */
/** The program that the script {@code it/containers} runs. */
package io.rsockets4j.it.containers;
