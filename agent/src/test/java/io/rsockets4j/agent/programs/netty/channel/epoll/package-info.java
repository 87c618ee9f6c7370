/* SPDX-License-Identifier: Apache-2.0 */
/** Named as Netty's native transport, below another package. */
package io.rsockets4j.agent.programs.netty.channel.epoll;
