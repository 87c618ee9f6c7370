/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.log.LogCapture;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where rules come from, and when they are read again. */
@Timeout(30)
class RulesTest {
    private static final InetSocketAddress REMOTE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;
    private Path file;
    private final AtomicLong clock = new AtomicLong(-5);
    private final AtomicInteger lookUps = new AtomicInteger();
    private volatile InetAddress namedAddress = InetAddress.getLoopbackAddress();
    private final LogCapture log = LogCapture.of(Rules.class);

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("rsockets4j.rules");
    }

    @AfterEach
    void stopCapturing() {
        log.close();
    }

    @Test
    void shouldLeaveAllToTheSettingsWithoutRules() {
        Rules rules = rules("");
        assertThat(rules.size()).isZero();
        assertThat(rules.onConnect(REMOTE).paths()).containsExactly("shm", "tcp");
    }

    @Test
    void shouldTakeThePropertyBeforeTheFile() throws IOException {
        write("connect * 80 deny tcp\nconnect * 81 deny tcp");
        Rules rules = rules("connect * 80 deny shm");
        assertThat(rules.onConnect(REMOTE).paths()).containsExactly("tcp");
        assertThat(rules.onConnect(new InetSocketAddress(REMOTE.getAddress(), 81)).paths()).containsExactly("shm");
        assertThat(rules.size()).isEqualTo(3);
    }

    @Test
    void shouldLookAtTheFileOnceASecond() throws IOException {
        write("connect * 80 deny tcp");
        Rules rules = rules("");
        write("connect * 80 deny shm");
        assertThat(rules.onConnect(REMOTE).paths()).as("not so soon").containsExactly("shm");
        clock.addAndGet(SECOND);
        assertThat(rules.onConnect(REMOTE).paths()).containsExactly("tcp");
        assertThat(rules.mayAccept("shm", REMOTE)).isTrue();
    }

    @Test
    void shouldKeepTheOldRulesWhileTheFileIsWrongAndWarnOnce() throws IOException {
        write("connect * 80 deny tcp");
        Rules rules = rules("");
        write("connect * 80 deny shm\nconnect * 81 deny nothing");
        for (int i = 0; i < 3; i++) {
            clock.addAndGet(SECOND);
            assertThat(rules.onConnect(REMOTE).paths()).containsExactly("shm");
        }
        assertThat(log.lines()).singleElement().asString()
                .startsWith("WARNING rsockets4j: " + file + ":2:19: there is no path")
                .endsWith("The rules from before stay in force.");
        write("connect * 80 deny shm");
        clock.addAndGet(SECOND);
        assertThat(rules.onConnect(REMOTE).paths()).containsExactly("tcp");
    }

    @Test
    void shouldKeepTheOldRulesWhenTheFileIsGone() throws IOException {
        write("connect * 80 deny tcp");
        Rules rules = rules("");
        Files.delete(file);
        clock.addAndGet(SECOND);
        assertThat(rules.onConnect(REMOTE).paths()).containsExactly("shm");
        clock.addAndGet(SECOND);
        assertThat(rules.onConnect(REMOTE).paths()).containsExactly("shm");
        assertThat(log.lines()).singleElement().asString().contains("cannot be read", "No such file");
    }

    @Test
    void shouldNotStartWithAFileThatCannotBeRead() throws IOException {
        assertThatThrownBy(() -> fileRules()).isInstanceOf(RuleMistakeException.class)
                .hasMessageStartingWith("rsockets4j: " + file + ": cannot be read: ")
                .hasMessageContaining("No such file");
        Files.createDirectory(file);
        assertThatThrownBy(() -> fileRules()).hasMessageContaining("it is not a regular file");
        Files.delete(file);
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> fileRules()).hasMessageContaining("it is not text in UTF-8");
        Files.write(file, new byte[(1 << 20) + 1]);
        assertThatThrownBy(() -> fileRules()).hasMessageContaining("it is larger than 1048576 bytes");
    }

    @Test
    void shouldNotStartWithAWrongProperty() {
        assertThatThrownBy(() -> rules("connect * 80 deny tcp; bind * 80-70 deny shm"))
                .hasMessageStartingWith("rsockets4j: rsockets4j.rule:1:31: the range 80-70 is empty");
    }

    @Test
    void shouldLookNamesUpAgainOnceAMinute() throws Exception {
        Rules rules = rules("connect host.example.org 80 deny shm");
        assertThat(rules.onConnect(REMOTE).paths()).containsExactly("tcp");
        namedAddress = InetAddress.getByName("10.0.0.1");
        clock.addAndGet(2 * SECOND);
        rules.onConnect(REMOTE);
        assertThat(lookUps).as("within the minute").hasValue(1);
        clock.addAndGet(60 * SECOND);
        Eventually.until("a thread has looked it up", () -> !rules.onConnect(REMOTE).isByRule());
        assertThat(lookUps).hasValue(2);
    }

    private Rules fileRules() {
        return rules("", true);
    }

    private Rules rules(String property) {
        return rules(property, Files.exists(file));
    }

    private Rules rules(String property, boolean withFile) {
        Properties properties = new Properties();
        properties.setProperty("rsockets4j.rule", property);
        if (withFile) {
            properties.setProperty("rsockets4j.rules", file.toString());
        }
        return new Rules(Settings.from(properties), new HostNames(this::lookUp), clock::get);
    }

    private InetAddress[] lookUp(String name) throws UnknownHostException {
        lookUps.incrementAndGet();
        return new InetAddress[] {namedAddress};
    }

    /** As editors do: under another name first. The file is another one, however fast it is written. */
    private void write(String text) throws IOException {
        Path draft = Files.writeString(directory.resolve("draft"), text);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
