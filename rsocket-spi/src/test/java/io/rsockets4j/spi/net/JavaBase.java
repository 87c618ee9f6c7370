/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.net.SocketImpl;

/** Adds to {@code java.base} what the agent would add. */
final class JavaBase {
    private static boolean added; // guarded by the class' monitor

    private JavaBase() { }

    static synchronized void add() throws IOException, IllegalAccessException {
        if (!added) {
            try (InputStream in = JavaBase.class.getResourceAsStream(
                    "/META-INF/java-base/java/net/RSockets4jDoor.class")) {
                MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup()).defineClass(in.readAllBytes());
            }
            added = true;
        }
    }
}
