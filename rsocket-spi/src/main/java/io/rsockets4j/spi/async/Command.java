/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

/** What a group is to run once: a handler that could not be invoked where its operation completed, or a command. */
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
