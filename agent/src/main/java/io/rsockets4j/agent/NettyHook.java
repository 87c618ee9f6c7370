/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;

/**
 * Switches off Netty's native transports, which go around Java's sockets, by Netty's own property for that; also in the
 * copies of Netty that libraries carry under other names. There the name of the property is another too, and is known
 * from the name of the class that will ask for it: it is set when that class is loaded. What the program has set itself
 * stays. Changes no class.
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
