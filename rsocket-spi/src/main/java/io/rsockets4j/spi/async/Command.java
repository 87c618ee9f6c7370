/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

/** What a program has a group run, as an executor. */
final class Command extends Task {
    private final Runnable body;

    Command(Runnable body) {
        this.body = body;
    }

    @Override
    public void run() {
        body.run();
    }
}
