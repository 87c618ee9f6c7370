/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketPermission;
import java.nio.channels.SocketChannel;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.Permission;
import java.security.Policy;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;

/**
 * Says of what kind its channels are, and whether there are threads of ours; with an argument, under a security
 * manager that it sets up after its first channel: {@code guard} denies us everything, another word nothing. With
 * {@code confined} it also asks a listener for its address where its caller has no rights at all.
 */
public final class Kinds {
    private static final String PROGRAMS = Kinds.class.getPackageName();

    private Kinds() { }

    public static void main(String[] args) throws IOException {
        if (args.length > 0) {
            SocketChannel.open().close();
            switch (args[0]) {
                case "guard" -> guard();
                case "confined" -> confine();
                default -> allow();
            }
        }
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket listener = new ServerSocket(0, 2, loopback);
                Socket socket = new Socket(loopback, listener.getLocalPort());
                Socket accepted = listener.accept();
                SocketChannel channel = SocketChannel.open(new InetSocketAddress(loopback, listener.getLocalPort()))) {
            if (args.length > 0 && args[0].equals("confined")) {
                askWithoutRights(listener);
            }
            socket.getOutputStream().write(1);
            if (accepted.getInputStream().read() == 1) {
                boolean ours = Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().startsWith("rsockets4j"));
                System.out.println(channel.getClass().getName() + (ours ? " and threads of ours" : ""));
            }
        }
    }

    @SuppressWarnings("removal")
    private static void allow() {
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkPermission(Permission permission) {
                Thread.currentThread().getName(); // such a manager asks who does something, and lets it
            }
        });
    }

    /** Gives every class all rights, and those a thread less that gives some up. */
    @SuppressWarnings("removal")
    private static void confine() {
        Policy.setPolicy(new Policy() {
            @Override
            public boolean implies(ProtectionDomain domain, Permission permission) {
                return domain.getCodeSource() != null;
            }
        });
        System.setSecurityManager(new SecurityManager());
    }

    @SuppressWarnings("removal")
    private static void askWithoutRights(ServerSocket listener) {
        AccessControlContext none = new AccessControlContext(new ProtectionDomain[] {new ProtectionDomain(null, null)});
        AccessController.doPrivileged((PrivilegedAction<SocketAddress>) listener::getLocalSocketAddress, none);
    }

    /** Denies files, properties and reflection to whatever is not the JDK's or this program's. */
    @SuppressWarnings("removal")
    private static void guard() {
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkPermission(Permission permission) {
                if (permission instanceof SocketPermission) {
                    return;
                }
                for (StackTraceElement frame : Thread.currentThread().getStackTrace()) { // lambdas would ask it too
                    String name = frame.getClassName();
                    if (name.startsWith("io.rsockets4j.") && !name.startsWith(PROGRAMS)) {
                        throw new SecurityException("denied: " + permission);
                    }
                }
            }
        });
    }
}
