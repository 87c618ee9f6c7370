/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.log.Log;
import java.io.IOException;

/**
 * Opens and closes the first Unix-domain socket of this process, which makes the JDK start a security provider. A
 * thread of its own does it, so that it is done when the first connect needs one.
 */
final class FirstUnixSocket implements Runnable {
    private static final Log LOG = Log.of(FirstUnixSocket.class);

    @Override
    public void run() {
        try {
            JdkChannels.openUnixSocket().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no Unix-domain socket", e); // told by who needs one
        }
    }
}
