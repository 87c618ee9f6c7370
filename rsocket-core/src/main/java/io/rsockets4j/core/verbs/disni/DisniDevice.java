/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;

/** A device's ibv_context, which stays open as long as the process runs. */
final class DisniDevice implements VerbsDevice {
    /** DiSNI cannot ask a device for max_cqe; devices in use have this much or more. */
    private static final int MAX_COMPLETIONS = (1 << 15) - 1;

    private final NativeDispatcher disni;
    private final long context;
    private final DeviceFiles files;

    DisniDevice(NativeDispatcher disni, long context, DeviceFiles files) {
        this.disni = disni;
        this.context = context;
        this.files = files;
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public boolean hasImmediate() {
        return files.channelAdapter();
    }

    @Override
    public int maxCompletions() {
        return MAX_COMPLETIONS;
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws IOException {
        try {
            return new DisniProtectionDomain(disni, disni._allocPd(context));
        } catch (IOException e) {
            throw DisniErrors.of("ibv_alloc_pd", e);
        }
    }

    @Override
    public CompletionChannel createCompletionChannel() throws IOException {
        try {
            return new DisniCompletionChannel(disni, disni._createCompChannel(context));
        } catch (IOException e) {
            throw DisniErrors.of("ibv_create_comp_channel", e);
        }
    }

    @Override
    public CompletionQueue createCompletionQueue(CompletionChannel channel, int entries) throws IOException {
        DisniCompletionChannel events = (DisniCompletionChannel) channel;
        if (entries > MAX_COMPLETIONS) {
            throw new VerbsException("ibv_create_cq", 0, entries + " entries > " + MAX_COMPLETIONS
                    + ", which is known to work on every device");
        }
        try {
            DisniCompletionQueue queue =
                    new DisniCompletionQueue(disni, disni._createCQ(context, events.pointer(), entries, 0));
            events.add(queue);
            return queue;
        } catch (IOException e) {
            throw DisniErrors.of("ibv_create_cq", e);
        }
    }
}
