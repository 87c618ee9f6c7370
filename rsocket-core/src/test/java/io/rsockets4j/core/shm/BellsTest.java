/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of a process' bells, and the lock on it that says that the process lives. */
class BellsTest {
    private static final int ENDS = 5_000;

    @TempDir
    private Path directory;
    private Rendezvous rendezvous;

    @BeforeEach
    void open() throws IOException {
        rendezvous = Rendezvous.open(directory.toString(), false);
    }

    /** What the kernel says: the JDK knows only what it did itself. */
    private static boolean isLocked(Path path) throws IOException {
        String inode = ":" + Files.getAttribute(path, "unix:ino") + " ";
        String pid = " " + ProcessHandle.current().pid() + " ";
        return Files.readAllLines(Path.of("/proc/locks")).stream()
                .anyMatch(line -> line.contains(inode) && line.contains(pid));
    }

    @Test
    void shouldBeLockedWhileTheProcessLives() throws IOException {
        BellsFile bells = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
        Path path = rendezvous.path(bells.name());
        assertThat(isLocked(path)).isTrue();
        assertThat(BellsFile.isLeft(path)).isFalse();
        assertThat(Fabrics.files(directory, ".draft")).isEmpty();
        bells.remove();
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldStayLockedWhereAProcessConnectsToItself() throws Exception {
        ShmFabric fabric = Fabrics.open(directory);
        Fabrics.Listening listening = Fabrics.listen(fabric);
        ShmLink client = Fabrics.connect(fabric, listening.address());
        ShmLink server = listening.accept();
        List<String> names = Fabrics.files(directory, Rendezvous.BELLS);
        assertThat(names).hasSize(1);
        assertThat(isLocked(rendezvous.path(names.get(0)))).isTrue();
        client.close(false);
        server.close(false);
        listening.queue().close();
    }

    @Test
    void shouldRemoveWhatADeadProcessHasLeftAtOnceAndNothingElse() throws IOException {
        BellsFile own = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
        BellsFile other = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
        Path left = rendezvous.newPath(Rendezvous.BELLS);
        Files.write(left, new byte[BellPage.BYTES]);
        rendezvous.sweep(own.name());
        assertThat(Fabrics.files(directory, Rendezvous.BELLS)).containsExactlyInAnyOrder(own.name(), other.name());
        own.remove();
        other.remove();
    }

    @Test
    @Timeout(60)
    void shouldLeaveNothingWhereAProcessEndsWhileAnotherLooks() throws Exception {
        Path bells = rendezvous.newPath(Rendezvous.BELLS);
        Path draft = rendezvous.newPath(Rendezvous.DRAFT);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> looks = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                BellsFile.isLeft(bells);
            }
        });
        for (int end = 0; end < ENDS; end++) {
            Files.write(draft, new byte[BellPage.BYTES]);
            Files.move(draft, bells, StandardCopyOption.ATOMIC_MOVE);
            Files.deleteIfExists(bells);
        }
        over.set(true);
        looks.join();
        assertThat(bells).doesNotExist();
    }

    /** Its process may live, and makes the memory anew. */
    @Test
    void shouldLeaveTheNameOfBellsThatWereTruncated() throws IOException {
        Path truncated = Files.createFile(rendezvous.newPath(Rendezvous.BELLS));
        rendezvous.sweep("none");
        assertThat(truncated).exists();
        assertThatThrownBy(() -> BellsFile.map(truncated)).hasMessageContaining("has 0 bytes");
        assertThat(truncated).exists();
    }

    @Test
    void shouldLeaveADraftToWhoeverMakesIt() throws IOException {
        Path draft = rendezvous.newPath(Rendezvous.DRAFT);
        Files.write(draft, new byte[1]);
        rendezvous.sweep("none");
        assertThat(draft).exists();
    }

    /** These classes once more, as in a program that has them twice. */
    private static Method ofAnotherCopy(URLClassLoader copy, String name) throws ReflectiveOperationException {
        Method method = copy.loadClass(BellsFile.class.getName()).getDeclaredMethod(name, Path.class);
        assertThat(method.getDeclaringClass()).isNotSameAs(BellsFile.class);
        method.setAccessible(true);
        return method;
    }

    @ParameterizedTest
    @ValueSource(strings = {"isLeft", "map"})
    void shouldStayLockedWhereAnotherCopyInTheSameProcessOpensThem(String how) throws Exception {
        URL classes = BellsFile.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader copy = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            BellsFile bells = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS),
                    rendezvous.newPath(Rendezvous.DRAFT));
            Path path = rendezvous.path(bells.name());
            for (int again = 0; again < 2; again++) {
                Object result = ofAnotherCopy(copy, how).invoke(null, path);
                assertThat(result).isNotEqualTo(true);
                assertThat(isLocked(path)).as("after %s", how).isTrue();
            }
            assertThat(openFiles(path)).as("its own, and the copy's").isEqualTo(2);
            bells.remove();
        }
    }

    private static long openFiles(Path path) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(descriptor -> path.equals(target(descriptor))).count();
        }
    }

    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException e) {
            return null; // closed meanwhile, such as that of the list itself
        }
    }
}
