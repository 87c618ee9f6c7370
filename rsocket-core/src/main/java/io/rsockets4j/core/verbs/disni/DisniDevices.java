/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** DiSNI's native functions, and the devices that were met so far: librdmacm opens each once in a process. */
final class DisniDevices {
    private final NativeDispatcher disni;
    private final Map<Long, DisniDevice> byContext = new ConcurrentHashMap<>();

    DisniDevices(NativeDispatcher disni) {
        this.disni = disni;
    }

    NativeDispatcher disni() {
        return disni;
    }

    /**
     * The device of a context.
     *
     * @param context a live ibv_context
     * @return the same object for the same context
     * @throws IOException if DiSNI fails
     */
    DisniDevice device(long context) throws IOException {
        DisniDevice known = byContext.get(context);
        if (known != null) {
            return known;
        }
        DisniDevice added = new DisniDevice(disni, context, DeviceFiles.ofDescriptor(disni._getContextFd(context)));
        DisniDevice first = byContext.putIfAbsent(context, added);
        return first == null ? added : first;
    }
}
