/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Called over RMI in both directions: the server calls the clients that it is told of. */
public interface RmiService extends Remote {
    /** The name in the registry. */
    String NAME = "service";

    /**
     * Digests what it is sent.
     *
     * @param bytes any
     * @return the digest
     * @throws RemoteException if the connection fails
     */
    String digest(byte[] bytes) throws RemoteException;

    /**
     * Has a digest made by somebody else.
     *
     * @param service is called
     * @param length of the content that it is sent
     * @return its answer
     * @throws RemoteException if a connection fails
     */
    String delegate(RmiService service, int length) throws RemoteException;
}
