/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Commands read ahead by a thread of its own, so that the end of the input is seen while a command runs: then whoever
 * gave it is gone, and the JVM exits rather than outlive it.
 */
final class CommandQueue {
    private static final String END = "";
    private static final int ORPHANED = 3;

    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private volatile boolean busy;

    static CommandQueue reading(BufferedReader input) {
        CommandQueue queue = new CommandQueue();
        Thread reader = new Thread(() -> queue.read(input), "commands");
        reader.setDaemon(true);
        reader.start();
        return queue;
    }

    /** Makes a queue of commands that are known beforehand. */
    static CommandQueue of(List<String> commands) {
        CommandQueue queue = new CommandQueue();
        queue.commands.addAll(commands);
        queue.commands.add(END);
        return queue;
    }

    /** Waits for the next command; null at the end. */
    String take() throws InterruptedException {
        busy = false;
        String command = commands.take();
        busy = true;
        return command.equals(END) ? null : command;
    }

    private void read(BufferedReader input) {
        try {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                commands.add(line);
            }
        } catch (IOException e) {
            System.err.println("commands: " + e);
        }
        if (busy) {
            System.err.println("the input ended in the middle of a command");
            System.exit(ORPHANED);
        }
        commands.add(END);
    }
}
