/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.core.fabric.BufferSizes;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;

/** Which buffers a program has sized. The TCP socket knows the size that came of it. Thread-safe; nothing blocks. */
public final class AskedBuffers {
    private volatile boolean send; // only ever becomes true
    private volatile boolean receive; // only ever becomes true

    /**
     * Takes note that an option was set.
     *
     * @param name any option
     */
    public void note(SocketOption<?> name) {
        send |= name == StandardSocketOptions.SO_SNDBUF;
        receive |= name == StandardSocketOptions.SO_RCVBUF;
    }

    /**
     * Whether a buffer's size was set.
     *
     * @param name SO_SNDBUF or SO_RCVBUF
     * @return true once it was
     */
    public boolean has(SocketOption<?> name) {
        return name == StandardSocketOptions.SO_SNDBUF ? send : receive;
    }

    /**
     * The sizes that were set, as TCP reports them.
     *
     * @param tcp where they were set
     * @return 0 for what was not set
     * @throws IOException if {@code tcp} is closed
     */
    public BufferSizes sizes(TcpEnd tcp) throws IOException {
        if (!send && !receive) {
            return BufferSizes.UNSET;
        }
        return new BufferSizes(send ? tcp.getOption(StandardSocketOptions.SO_SNDBUF) : 0,
                receive ? tcp.getOption(StandardSocketOptions.SO_RCVBUF) : 0);
    }
}
