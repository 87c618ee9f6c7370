/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import java.util.concurrent.Callable;

/** One client of a program, with connections that stay open. It ends with its process. */
interface Client {
    /** Repeats the operation until the recorder has enough, and blocks meanwhile. */
    void load(Recorder recorder) throws Exception;

    /** A client that makes one operation after the other in the thread that asks for them. */
    static Client repeating(Callable<?> operation) {
        return recorder -> {
            long began;
            do {
                began = System.nanoTime();
                operation.call();
            } while (recorder.done(began));
        };
    }
}
