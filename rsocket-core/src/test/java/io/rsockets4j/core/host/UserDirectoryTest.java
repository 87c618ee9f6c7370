/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where processes of one user meet, and what another user can do about it. */
class UserDirectoryTest {
    private static final int ANOTHER_USER = 54_321;

    @TempDir
    private Path parent;

    private Path plain() throws IOException {
        return UserDirectory.path(parent.toString());
    }

    private Path open() throws IOException {
        return UserDirectory.open(parent.toString());
    }

    private Path find() throws IOException {
        return UserDirectory.find(parent.toString());
    }

    @Test
    void shouldHaveRoomForSocketsBelowDevShmWhoeverTakesTheName() {
        String name = "rsockets4j-" + Integer.MAX_VALUE + "-" + "0".repeat(16) + "-" + "f".repeat(16);
        Path longest = Path.of("/dev/shm", name);
        assertThat(UserDirectory.excess(longest)).isNotPositive();
    }

    @Test
    void shouldBeOneForAll() throws IOException {
        assertThat(find()).isNull();
        assertThat(open()).isEqualTo(plain()).isEqualTo(open()).isEqualTo(find());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(plain()))).isEqualTo("rwx------");
    }

    @Test
    void shouldNotUseWhatOthersMayEnter() throws IOException {
        Files.createDirectory(plain(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        assertThatThrownBy(this::open).hasMessageContaining("only its owner may have any");
        assertThatThrownBy(this::find).hasMessageContaining("only its owner may have any");
    }

    @Test
    void shouldNotUseAFileOfThatName() throws IOException {
        Files.createFile(plain());
        assertThatThrownBy(this::open).hasMessageContaining("is not a directory; remove it");
    }

    @Test
    void shouldMeetElsewhereWhereAnotherUserHasTakenTheName() throws Exception {
        take(Files.createDirectory(plain()));
        take(Files.createDirectory(parent.resolve(plain().getFileName() + "-0000000000000000-0")));
        assertThat(find()).as("nobody of ours is there").isNull();
        Path chosen = open();
        assertThat(chosen.getFileName().toString()).matches("rsockets4j-[0-9]+-[0-9a-f]{16}-[0-9a-f]{16}");
        assertThat(open()).isEqualTo(chosen).isEqualTo(find());
        Files.delete(plain());
        assertThat(open()).as("once the name is free again").isEqualTo(chosen).isEqualTo(find());
    }

    @Test
    void shouldMeetElsewhereWhereAnotherUserHasPutALink() throws Exception {
        Files.createSymbolicLink(plain(), Files.createDirectory(parent.resolve("own")));
        assumeTrue(isRoot(), "only root can make what is another user's");
        Files.setAttribute(plain(), "unix:uid", ANOTHER_USER, java.nio.file.LinkOption.NOFOLLOW_LINKS);
        assertThat(open()).isNotEqualTo(plain()).isEqualTo(find());
    }

    @Test
    void shouldChooseTheSameWhereSeveralBeginAtOnce() throws Exception {
        take(Files.createDirectory(plain()));
        ExecutorService processes = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Path>> opening = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                opening.add(this::open);
            }
            Path first = null;
            for (Future<Path> opened : processes.invokeAll(opening)) {
                first = first == null ? opened.get() : first;
                assertThat(opened.get()).isEqualTo(first);
            }
        } finally {
            processes.shutdown();
        }
    }

    private static boolean isRoot() throws IOException {
        return Ownership.userId() == 0;
    }

    private static void take(Path path) throws IOException {
        assumeTrue(isRoot(), "only root can make what is another user's");
        Files.setAttribute(path, "unix:uid", ANOTHER_USER);
    }
}
