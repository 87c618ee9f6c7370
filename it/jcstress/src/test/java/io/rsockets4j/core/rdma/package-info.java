/* SPDX-License-Identifier: Apache-2.0 */
/** What is posted while completions come, under jcstress. */
package io.rsockets4j.core.rdma;
