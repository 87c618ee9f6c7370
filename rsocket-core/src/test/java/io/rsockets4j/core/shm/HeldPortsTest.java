/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.FakePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the local ports of closed connections are held where the server does not close its ends. */
class HeldPortsTest {
    private static final int MANY = 200;

    @TempDir
    private Path directory;
    private final List<FakePort> ports = new ArrayList<>();

    private Fabrics.Listening listening;
    private ShmFabric fabric;

    private void open(HeldPorts held) throws IOException {
        listening = Fabrics.listen(Fabrics.open(directory));
        fabric = Fabrics.open(directory, null, held);
    }

    private ShmLink connectAndClose() throws IOException {
        FakePort port = new FakePort();
        ports.add(port);
        ShmLink link = Fabrics.connect(fabric, listening.address(), port);
        link.close(false);
        return link;
    }

    private long held() {
        return ports.stream().filter(port -> port.released() == 0).count();
    }

    @Test
    void shouldHoldAPortNoLongerThanTcpDoes() throws Exception {
        open(new HeldPorts(10, TimeUnit.MILLISECONDS.toNanos(1)));
        ShmLink closed = connectAndClose();
        assertThat(held()).as("the server has its end open").isEqualTo(1);
        Eventually.until("the port is released", () -> held() == 0);
        assertThat(connectAndClose().slot()).as("the slot is not free").isNotEqualTo(closed.slot());
        listening.accept().close(false);
        listening.accept().close(false);
        Eventually.until("both ends are closed", closed::isSlotReleased);
        connectAndClose();
        assertThat(ports.get(0).released()).isEqualTo(1);
        listening.queue().close();
    }

    @Test
    void shouldHoldNoMorePortsThanTheProcessCanSpare() throws Exception {
        int max = 10;
        open(new HeldPorts(max, TimeUnit.HOURS.toNanos(1)));
        for (int i = 0; i < max; i++) {
            connectAndClose();
        }
        assertThat(held()).isEqualTo(max);
        connectAndClose();
        assertThat(held()).as("under pressure").isZero();
        for (int i = 0; i < MANY; i++) {
            connectAndClose();
            assertThat(held()).isLessThanOrEqualTo(max);
        }
        assertThat(ports).allMatch(port -> port.released() <= 1);
        listening.queue().close();
        Eventually.until("all are released", () -> held() == 0);
    }

    @Test
    void shouldKnowWhatThisProcessCanSpare() {
        HeldPorts ofThisProcess = new HeldPorts();
        int spared = 0;
        while (!ofThisProcess.add()) {
            spared++;
        }
        assertThat(spared).isBetween(8, 1024);
    }
}
