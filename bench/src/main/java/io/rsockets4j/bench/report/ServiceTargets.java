/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Service;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked of a service over shared memory, on two cores; how much depends on how the JVMs were started. */
final class ServiceTargets {
    private static final Target PARITY = Target.ratio(1);
    private static final Target OPEN_P50 = Target.ratio(1 / 0.8);
    private static final int NATIVE_CALLS_SINCE = 22;

    private static final Map<Integer, Target> THREAD =
            Map.of(1, Target.ratio(20), 4, Target.ratio(1.8), 32, Target.ratio(1.5), 200, Target.ratio(1.3));
    private static final Map<Integer, Target> NATIVE_THREAD =
            Map.of(1, Target.ratio(20), 4, Target.ratio(2), 32, Target.ratio(2), 200, Target.ratio(1.5));
    private static final Map<Integer, Target> SELECTOR =
            Map.of(1, Target.ratio(10), 4, Target.ratio(3), 32, Target.ratio(2.5), 200, Target.ratio(2.5));
    private static final Map<Integer, Target> VIRTUAL =
            Map.of(4, Target.ratio(2), 32, Target.ratio(2), 1_000, Target.ratio(3));

    private ServiceTargets() {}

    /**
     * Finds what is asked of a figure, if anything is.
     *
     * @param javaFeature the version of Java
     * @param arguments those that the JVMs were given besides
     */
    static Optional<Target> of(Service service, Api api, String metric, int javaFeature, List<String> arguments) {
        if (metric.startsWith(Service.FIRST)) {
            return Optional.empty();
        }
        boolean isBlocking = api == Api.NIO || api == Api.SOCKET;
        if (arguments.contains("-Xint")) {
            boolean isAsked = isBlocking && service.connections() == 4 && service.loop().isClosed();
            return Optional.of(PARITY).filter(target -> isAsked && metric.equals(Service.RATE));
        }
        if (!service.loop().isClosed()) {
            return switch (metric) {
                case Service.P50 -> Optional.of(OPEN_P50).map(target -> isSpinless(arguments) ? PARITY : target);
                case Service.P99, Service.CPU -> Optional.of(PARITY);
                default -> Optional.empty();
            };
        }
        Target rate = rates(api, javaFeature).get(service.connections());
        if (isSpinless(arguments)) {
            rate = rate == null || service.connections() == 1 ? null : PARITY;
        }
        return switch (metric) {
            case Service.RATE -> Optional.ofNullable(rate);
            case Service.P99 -> Optional.ofNullable(rate).map(asked -> PARITY);
            default -> Optional.empty();
        };
    }

    private static Map<Integer, Target> rates(Api api, int javaFeature) {
        return switch (api) {
            case NIO, SOCKET -> javaFeature >= NATIVE_CALLS_SINCE ? NATIVE_THREAD : THREAD;
            case SELECTOR -> SELECTOR;
            case VIRTUAL -> VIRTUAL;
            case ASYNC -> Map.of();
        };
    }

    /** Whether threads sleep at once in those JVMs, as they do over TCP. */
    static boolean isSpinless(List<String> arguments) {
        return arguments.contains("-Drsockets4j.spin.micros=0");
    }
}
