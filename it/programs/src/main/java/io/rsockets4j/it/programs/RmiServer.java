/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** A registry of RMI and a service in it; the client has the same service, to be called back. */
final class RmiServer implements RmiService {
    /** Held, since nothing else keeps it from being collected. */
    private static Registry registry;

    /**
     * Serves until the process is ended.
     *
     * @param args the port of the registry
     */
    public static void main(String[] args) throws RemoteException {
        int port = Integer.parseInt(args[0]);
        registry = LocateRegistry.createRegistry(port);
        registry.rebind(NAME, UnicastRemoteObject.exportObject(new RmiServer(), 0));
        Servers.announce(port);
    }

    @Override
    public String digest(byte[] bytes) {
        return Content.digest(bytes);
    }

    @Override
    public String delegate(RmiService service, int length) throws RemoteException {
        return service.digest(Content.bytes(length));
    }
}
