/* SPDX-License-Identifier: Apache-2.0 */
/** Every setting with its default, range and meaning, read from system properties or agent arguments. */
package io.rsockets4j.core.settings;
