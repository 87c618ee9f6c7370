/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The agent and the command line.
 */
module io.rsockets4j.agent {
    requires info.picocli;
    requires io.rsockets4j.core;
    requires io.rsockets4j.spi;
    requires transitive java.instrument;
    requires static jdk.attach;
    requires net.bytebuddy;

    exports io.rsockets4j.agent;
    exports io.rsockets4j.agent.cli;

    opens io.rsockets4j.agent.cli to info.picocli;
    opens io.rsockets4j.agent.doctor to info.picocli;
    opens io.rsockets4j.agent.stat to info.picocli;
}
