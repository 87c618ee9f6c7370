/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Extended sockets, after the Open Group's Extended Sockets API: for programs that know of rsockets4j. Operations do
 * not wait. Any number may be pending, each with memory that is registered before and belongs to it, and each ends as
 * an event in a queue. Streams carry bytes, and sockets of messages keep their boundaries. What carries them is chosen
 * as for all other sockets: shared memory, RDMA or TCP.
 *
 * <pre>{@code
 * try (EventQueue queue = EventQueue.open();
 *         ExtendedListener listener = ExtendedListener.open(queue, SocketType.MESSAGE, address, 0);
 *         ExtendedSocket client = ExtendedSocket.open(queue, SocketType.MESSAGE)) {
 *     listener.accept("accept");
 *     client.connect(listener.localAddress(), "connect");
 *     for (Event event; (event = queue.dequeue(10, TimeUnit.SECONDS)) != null; ) {
 *         switch (event.kind()) {
 *             case CONNECT -> client.send(hello, 0, 5, "send");
 *             case ACCEPT -> event.accepted().receive(buffer, 0, 4096, "receive");
 *             case RECEIVE -> queue.wakeUp();
 *             case SEND -> sent += event.bytes();
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>There is no thread behind this. An operation is tried when it is started, and goes on while a thread of the
 * program is in {@link io.rsockets4j.exs.EventQueue#dequeue}.
 *
 * <p>Both ends must be of this package, and of one type: they say so when they connect, and refuse others.
 */
package io.rsockets4j.exs;
