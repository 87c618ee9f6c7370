/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;

/** As {@link RemoteMethod}, through TLS; the keys are named by system properties. */
public final class EncryptedRemoteMethod {
    private EncryptedRemoteMethod() { }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        SslRMIClientSocketFactory clients = new SslRMIClientSocketFactory();
        SslRMIServerSocketFactory servers = new SslRMIServerSocketFactory();
        RemoteMethod.Greeter greeter = name -> "Hello, " + name;
        Registry registry = LocateRegistry.createRegistry(port, clients, servers);
        registry.bind("greeter", UnicastRemoteObject.exportObject(greeter, 0, clients, servers));
        RemoteMethod.Greeter remote =
                (RemoteMethod.Greeter) LocateRegistry.getRegistry("localhost", port, clients).lookup("greeter");
        if (!remote.greet("you").equals("Hello, you")) {
            throw new AssertionError("the answer is wrong");
        }
        System.exit(0);
    }
}
