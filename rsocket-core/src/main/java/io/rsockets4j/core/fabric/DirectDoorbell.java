/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.nio.channels.SelectableChannel;

/**
 * A doorbell that peers ring straight at one selector, without the engine's doorbell thread in between. Made by a
 * fabric, owned by one {@link SelectorWaiter}, used by that selector's thread alone.
 */
public interface DirectDoorbell {
    /**
     * What becomes readable when the bell rings.
     *
     * @return a non-blocking channel, registered by the owner for {@code OP_READ}
     */
    SelectableChannel channel();

    /**
     * Announces that the owner is about to sleep, then looks once more (store, full fence, load).
     *
     * @return false when something was rung meanwhile: do not sleep, call {@link #awake}
     */
    boolean prepareToSleep();

    /**
     * Ends the sleep: silences the channel and hands over whatever was rung.
     *
     * @param owner receives the sources by {@link SelectorWaiter#rung}
     */
    void awake(SelectorWaiter owner);

    /** Gives the doorbell back to its fabric. The owner has disarmed all its links. */
    void release();
}
