/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reaches the verbs through DiSNI 2.1 ({@code com.ibm.disni:disni}), for Java 17 to 21. DiSNI is not part of this
 * project's jars: a program adds it to its class path.
 *
 * <p>Of DiSNI only the native functions are used, {@link com.ibm.disni.verbs.impl.NativeDispatcher}. The layers above
 * them allocate for each work request or cannot change its immediate data, keep each identifier for ever, and crash the
 * virtual machine when something is used after it was closed. So the structs of verbs.h are written and read here, and
 * whatever could be closed under a caller is guarded here: identifiers by a lock, queue pairs by {@link
 * io.rsockets4j.core.verbs.disni.PostGate}.
 *
 * <p>What DiSNI cannot do at all: IPv6, the status of events, the reason of a rejection, rejecting, the attributes of
 * a device, descriptors to wait on. How each is lived with is said where it matters.
 */
package io.rsockets4j.core.verbs.disni;
