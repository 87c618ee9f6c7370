/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Serving;
import io.rsockets4j.bench.net.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something that programs do with sockets, and its figures. Implementations hold no state. */
public interface Work {

    /**
     * Names the work.
     *
     * @return its name on the command line and in files
     */
    String name();

    /**
     * Names the work for readers.
     *
     * @return a few words
     */
    String title();

    /**
     * Says how the work is done and timed.
     *
     * @return a sentence or two for the report
     */
    String method();

    /**
     * Lists the message lengths worth measuring.
     *
     * @return lengths in bytes, ascending
     */
    List<Integer> sizes();

    /**
     * Lists the message lengths of a quick run.
     *
     * @return all, unless the work wants otherwise
     */
    default List<Integer> quickSizes() {
        return sizes();
    }

    /**
     * Tells whether the work is too long to be repeated for each API in a quick run.
     *
     * @return true if one API is enough then
     */
    default boolean isLong() {
        return false;
    }

    /**
     * Tells whether the work runs when no works are named.
     *
     * @return false for what not every JDK can do
     */
    default boolean isUsual() {
        return true;
    }

    /**
     * Tells whether the work makes sense with an API.
     *
     * @param api through which to do it
     * @return false to leave it out
     */
    default boolean suits(Api api) {
        return api != Api.VIRTUAL;
    }

    /**
     * Tells by what the rate of the work is set.
     *
     * @return empty if nothing sets it: as fast as it goes, or by itself
     */
    default Optional<Pace> pace() {
        return Optional.empty();
    }

    /**
     * Lists the figures.
     *
     * @return what {@link #drive} yields
     */
    List<Metric> metrics();

    /**
     * Tells how many servers the work needs.
     *
     * @return the number of listening ports in the server's JVM
     */
    default int servers() {
        return 1;
    }

    /**
     * Tells how a blocking server spreads connections over threads.
     *
     * @return a thread for each, unless the work wants otherwise
     */
    default Serving serving() {
        return Serving.CONCURRENTLY;
    }

    /**
     * Tells whether what the JVMs did earlier would show in the figures.
     *
     * @return true to run in JVMs that did nothing else
     */
    default boolean wantsFreshJvms() {
        return false;
    }

    /**
     * Tells who plays the client's part.
     *
     * @return true for programs that start and end for it, instead of {@link #drive}
     */
    default boolean isDoneByPrograms() {
        return false;
    }

    /**
     * Plays the server's part.
     *
     * @param job the job
     * @return what serves one connection
     */
    Session session(Job job);

    /**
     * Plays the client's part.
     *
     * @param stage the job and its servers
     * @return the value of each metric
     * @throws Exception if a connection fails or bytes are not what they should be
     */
    Map<String, Double> drive(Stage stage) throws Exception;
}
