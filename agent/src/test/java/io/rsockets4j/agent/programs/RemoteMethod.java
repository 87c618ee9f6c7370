/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.net.ServerSocket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** Calls a method of an object in a registry. */
public final class RemoteMethod {
    private RemoteMethod() { }

    /** What can be called. */
    public interface Greeter extends Remote {
        String greet(String name) throws RemoteException;
    }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Greeter greeter = name -> "Hello, " + name;
        Registry registry = LocateRegistry.createRegistry(port);
        registry.bind("greeter", UnicastRemoteObject.exportObject(greeter, 0));
        Greeter remote = (Greeter) LocateRegistry.getRegistry("localhost", port).lookup("greeter");
        if (!remote.greet("you").equals("Hello, you")) {
            throw new AssertionError("the answer is wrong");
        }
        System.exit(0);
    }
}
