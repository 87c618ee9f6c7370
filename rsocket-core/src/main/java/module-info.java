/* SPDX-License-Identifier: Apache-2.0 */
/** The byte-stream engine of rsockets4j: rings and credits, waiting, routing, and the fabrics. */
module io.rsockets4j.core {
    requires static java.logging;
    requires static java.management;
    requires static jdk.jfr;
    requires jdk.net;

    exports io.rsockets4j;
    exports io.rsockets4j.core.bell;
    exports io.rsockets4j.core.direct;
    exports io.rsockets4j.core.engine;
    exports io.rsockets4j.core.fabric;
    exports io.rsockets4j.core.host;
    exports io.rsockets4j.core.log;
    exports io.rsockets4j.core.management;
    exports io.rsockets4j.core.reason;
    exports io.rsockets4j.core.rules;
    exports io.rsockets4j.core.settings;
    exports io.rsockets4j.core.shm;
    exports io.rsockets4j.core.stat;
    exports io.rsockets4j.core.thread;
    exports io.rsockets4j.core.verbs;

    uses io.rsockets4j.core.verbs.VerbsBinding;

    provides io.rsockets4j.core.verbs.VerbsBinding with
            io.rsockets4j.core.verbs.ffm.FfmBinding,
            io.rsockets4j.core.verbs.disni.DisniBinding;
}
