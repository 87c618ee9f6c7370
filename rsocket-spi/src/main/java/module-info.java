/* SPDX-License-Identifier: Apache-2.0 */
import io.rsockets4j.spi.RSocketAsynchronousChannelProvider;
import io.rsockets4j.spi.RSocketSelectorProvider;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;

/**
 * What the JDK loads.
 */
@SuppressWarnings("module") // the agent is compiled after this
module io.rsockets4j.spi {
    requires io.rsockets4j.core;

    exports io.rsockets4j.exs;
    exports io.rsockets4j.spi;
    exports io.rsockets4j.spi.channel to io.rsockets4j.agent;
    exports io.rsockets4j.spi.net to io.rsockets4j.agent;

    provides AsynchronousChannelProvider with RSocketAsynchronousChannelProvider;
    provides SelectorProvider with RSocketSelectorProvider;
}
