/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleBookTest {
    private static final InetSocketAddress LISTENER = new InetSocketAddress(ip("0.0.0.0"), 80);

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "allow rdma        | rdma,tcp",
        "allow tcp,shm     | tcp,shm",
        "prefer tcp        | tcp,shm,rdma",
        "prefer rdma       | rdma,shm,tcp",
        "deny shm,rdma     | tcp",
        "deny tcp          | shm,rdma",
        "deny *            | ''",
        "require rdma      | rdma",
        "require tcp,shm   | tcp,shm",
        "allow *           | rdma,shm,tcp",
    })
    void shouldMakeOfTheAvailablePathsWhatTheActionSays(String action, String paths) {
        Choice choice = book("shm,rdma,tcp", "connect * 80 " + action).choose(Direction.CONNECT, ip("10.0.0.1"), 80);
        assertThat(String.join(",", choice.paths())).isEqualTo(paths);
        assertThat(choice.reason()).isEqualTo(Reason.RULE);
        assertThat(choice).hasToString("the rule at file:1:1 (" + action.replace("*", "rdma,shm,tcp") + ")");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"allow rdma | ''", "prefer rdma,tcp | shm", "require tcp | ''",
        "require rdma,shm | shm", "deny rdma | shm"})
    void shouldUseNoPathThatTheSettingsDoNotHave(String action, String paths) {
        Choice choice = book("shm", "connect * 80 " + action).choose(Direction.CONNECT, ip("10.0.0.1"), 80);
        assertThat(String.join(",", choice.paths())).isEqualTo(paths);
    }

    @Test
    void shouldLeaveItToTheFirstRuleThatMatches() {
        RuleBook book = book("shm,tcp", "connect 10.0.0.1 * require shm", "connect 10.0.0.0/8 80-90 deny shm",
                "* * 85-100 deny tcp");
        assertThat(book.choose(Direction.CONNECT, ip("10.0.0.1"), 85).paths()).containsExactly("shm");
        assertThat(book.choose(Direction.CONNECT, ip("10.0.0.2"), 85).paths()).containsExactly("tcp");
        assertThat(book.choose(Direction.CONNECT, ip("10.0.0.2"), 91).paths()).containsExactly("shm");
        Choice none = book.choose(Direction.CONNECT, ip("10.0.0.2"), 101);
        assertThat(none.paths()).containsExactly("shm", "tcp");
        assertThat(none.isByRule()).isFalse();
        assertThat(none.reason()).isEqualTo(Reason.PREFERRED);
    }

    @Test
    void shouldAcceptWhatNoRuleForServersForbids() {
        RuleBook book = book("shm,tcp", "accept 10.0.0.0/8 80 deny tcp", "connect * * deny *");
        assertThat(book.accepts("tcp", LISTENER, ip("10.0.0.1"))).isFalse();
        assertThat(book.accepts("tcp", LISTENER, ip("11.0.0.1"))).isTrue();
        assertThat(book.accepts("shm", LISTENER, ip("10.0.0.1"))).isTrue();
        assertThat(book.mayAccept("tcp", LISTENER)).isTrue();
    }

    @Test
    void shouldNeitherOfferNorAcceptWhatNoClientMayUse() {
        RuleBook book = book("shm,tcp", "accept 10.0.0.1 80 allow shm", "accept * 80 deny shm",
                "accept * 81 require shm");
        assertThat(book.mayAccept("shm", LISTENER)).as("one client may").isTrue();
        InetSocketAddress other = new InetSocketAddress(ip("0.0.0.0"), 81);
        assertThat(book.mayAccept("tcp", other)).isFalse();
        assertThat(book.mayAccept("shm", other)).isTrue();
        assertThat(book.accepts("tcp", other, ip("10.0.0.1"))).isFalse();
    }

    @Test
    void shouldKeepListenersToTheirRule() {
        RuleBook book = book("shm,tcp", "bind 0.0.0.0 80 deny shm", "accept * * allow *");
        assertThat(book.mayAccept("shm", LISTENER)).isFalse();
        assertThat(book.accepts("shm", LISTENER, ip("10.0.0.1"))).isFalse();
        assertThat(book.accepts("tcp", LISTENER, ip("10.0.0.1"))).isTrue();
        assertThat(book.mayAccept("shm", new InetSocketAddress(ip("10.0.0.1"), 80))).isTrue();
    }

    @Test
    void shouldAcceptOnlyPathsOfTheSettingsWhereNoRuleMatches() {
        RuleBook book = book("shm");
        assertThat(book.accepts("shm", LISTENER, ip("10.0.0.1"))).isTrue();
        assertThat(book.accepts("tcp", LISTENER, ip("10.0.0.1"))).isFalse();
        assertThat(book.mayAccept("tcp", LISTENER)).isFalse();
    }

    private static RuleBook book(String available, String... rules) {
        List<Rule> parsed = RuleParser.parseFile("file", String.join("\n", rules), Set.of("shm", "rdma", "tcp"),
                new HostNames(InetAddress::getAllByName));
        return new RuleBook(parsed, List.of(available.split(",")));
    }

    private static InetAddress ip(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
