/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;

/** Calls the server, and has itself called by it. */
final class RmiClient {
    private static final int CALLS = 2_000;

    private RmiClient() { }

    /**
     * Calls and compares.
     *
     * @param args the port of the registry
     */
    public static void main(String[] args) throws RemoteException, NotBoundException {
        RmiService server = (RmiService) LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0]))
                .lookup(RmiService.NAME);
        RmiServer called = new RmiServer();
        RmiService stub = (RmiService) UnicastRemoteObject.exportObject(called, 0);
        try {
            for (int i = 0; i < CALLS; i++) {
                compare(server, stub, i);
            }
            compare(server, stub, Content.LARGE);
        } finally {
            UnicastRemoteObject.unexportObject(called, true);
        }
    }

    private static void compare(RmiService server, RmiService stub, int length) throws RemoteException {
        Content.check("a call", server.digest(Content.bytes(length)), length);
        Content.check("a call back", server.delegate(stub, length), length);
    }
}
