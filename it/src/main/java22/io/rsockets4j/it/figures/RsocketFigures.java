/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.util.Map;

/**
 * {@link Figures} with two more kinds of transports: {@code rsockets}, which asks again and again as rstream does, and
 * {@code rsockets-block}.
 */
public final class RsocketFigures {
    private RsocketFigures() {}

    /**
     * Measures.
     *
     * @param args those of {@link Figures#main}
     * @throws Throwable if anything goes wrong
     */
    public static void main(String[] args) throws Throwable {
        Figures.run(RsocketFigures.class,
                Map.of("rsockets", new RsocketTransport(false), "rsockets-block", new RsocketTransport(true)), args);
    }
}
