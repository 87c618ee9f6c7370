/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What all turns of one program showed. Ratios are above 1 where ours is better; each is the median of those of single
 * turns, one over TCP and the next one with the agent.
 *
 * @param program its name
 * @param tcp the turns over TCP
 * @param ours those with the agent, as many
 * @param tcpMedian the medians of the turns over TCP, each figure by itself
 * @param oursMedian those of the others
 * @param ratio the medians of the ratios
 * @param connections how the client's connections with the agent went, as its summary says
 */
record Comparison(String program, List<Turn> tcp, List<Turn> ours, Turn tcpMedian, Turn oursMedian, Turn ratio,
        String connections) {
    static Comparison of(Program program, List<Turn> tcp, List<Turn> ours, String connections) {
        Turn ratio = new Turn(
                ratio(tcp, ours, (plain, our) -> our.rate() / plain.rate()),
                ratio(tcp, ours, (plain, our) -> plain.p50Micros() / our.p50Micros()),
                ratio(tcp, ours, (plain, our) -> plain.p99Micros() / our.p99Micros()),
                ratio(tcp, ours, (plain, our) -> plain.cpuMicros() / our.cpuMicros()));
        return new Comparison(program.toString(), tcp, ours, median(tcp), median(ours), ratio, connections);
    }

    private static double ratio(List<Turn> tcp, List<Turn> ours, ToDoubleBiFunction<Turn, Turn> ofOne) {
        return median(IntStream.range(0, tcp.size())
                .mapToDouble(i -> ofOne.applyAsDouble(tcp.get(i), ours.get(i)))
                .toArray());
    }

    private static Turn median(List<Turn> turns) {
        return new Turn(median(turns, Turn::rate), median(turns, Turn::p50Micros), median(turns, Turn::p99Micros),
                median(turns, Turn::cpuMicros));
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return median(turns.stream().mapToDouble(figure).toArray());
    }

    /** The middle one, or the mean of the two in the middle. */
    private static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Whether the client's connections went as they should have. */
    boolean isByMemory() {
        return connections.matches("shm=[1-9]\\d* tcp=0");
    }
}
