/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;

/**
 * Switches off Netty's native transports, which bypass Java's sockets, by Netty's own property for that. Libraries
 * carry copies of Netty under other names, whose property has another name too. The name of the class that asks for
 * the property tells it, so the hook sets it when that class is loaded. It keeps what the program has set, and changes
 * no class.
 */
final class NettyHook implements ClassFileTransformer {
    private static final List<String> TRANSPORTS = List.of(
            "netty/channel/epoll/Epoll", "netty/channel/uring/IoUring", "netty/incubator/channel/uring/IOUring");
    private static final String PROPERTY = "netty.transport.noNative";

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        if (name != null) { // classes that are made at run time may have none
            for (String transport : TRANSPORTS) {
                if (name.endsWith(transport)) {
                    switchOff(name.substring(0, name.length() - transport.length()).replace('/', '.') + PROPERTY);
                }
            }
        }
        return null;
    }

    private static void switchOff(String property) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, "true");
        }
    }
}
