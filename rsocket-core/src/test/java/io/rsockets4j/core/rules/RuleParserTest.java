/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleParserTest {
    private static final Set<String> PATHS = Set.of("shm", "rdma", "tcp");

    private final HostNames names = new HostNames(name -> {
        if (name.equals("db.example.org")) {
            return new InetAddress[] {InetAddress.getByName("10.0.0.7"), InetAddress.getByName("fd00::7")};
        }
        throw new UnknownHostException(name);
    });

    @Test
    void shouldReadEachFieldOfEachLine() {
        List<Rule> rules = parse("# a comment\n\n  connect 10.0.0.0/8 5000-5999 prefer rdma, tcp # why\r\n"
                + "* * 22 deny *\n");
        assertThat(rules).hasSize(2);
        Rule first = rules.get(0);
        assertThat(first.position()).hasToString("file:3:3");
        assertThat(first.direction()).isEqualTo(Direction.CONNECT);
        assertThat(first.ports()).isEqualTo(new PortRange(5000, 5999));
        assertThat(first.action()).isEqualTo(Action.PREFER);
        assertThat(first.paths()).containsExactly("rdma", "tcp");
        assertThat(rules.get(1).direction()).isNull();
        assertThat(rules.get(1).ports()).isEqualTo(new PortRange(22, 22));
        assertThat(rules.get(1).paths()).containsExactly("rdma", "shm", "tcp");
    }

    @Test
    void shouldReadRulesOfAProperty() {
        List<Rule> rules = RuleParser.parseProperty("property",
                "connect * 22 deny *; bind * 8080 require shm;", PATHS, names);
        assertThat(rules).extracting(rule -> rule.position().toString()).containsExactly("property:1:1",
                "property:1:22");
    }

    @Test
    void shouldReadNothing() {
        assertThat(parse("")).isEmpty();
        assertThat(parse("\n#\n \t\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"*, 10.1.2.3, true", "10.1.2.3, 10.1.2.3, true", "10.1.2.3, 10.1.2.4, false",
        "10.0.0.0/8, 10.255.0.1, true", "10.0.0.0/8, 11.0.0.1, false", "10.1.2.128/25, 10.1.2.127, false",
        "10.1.2.128/25, 10.1.2.129, true", "0.0.0.0/0, 1.2.3.4, true", "0.0.0.0/0, fd00::1, false",
        "fd00::/16, fd00:1::1, true", "fd00::/16, fd01::1, false", "::1, ::1, true", "::1, 127.0.0.1, false",
        "0.0.0.0, ::, true", "::, 0.0.0.0, true", "0.0.0.0, 10.0.0.1, false", "DB.example.org, 10.0.0.7, true",
        "db.example.org, fd00::7, true", "db.example.org, 10.0.0.8, false"})
    void shouldMatchAddresses(String host, String address, boolean matches) throws Exception {
        Rule rule = parse("connect " + host + " 80 deny shm").get(0);
        assertThat(rule.matches(Direction.CONNECT, InetAddress.getByName(address), 80)).isEqualTo(matches);
        assertThat(rule.matches(Direction.CONNECT, InetAddress.getByName(address), 81)).isFalse();
        assertThat(rule.matches(Direction.ACCEPT, InetAddress.getByName(address), 80)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "conect * 80 deny shm                   | 1  | 'conect' is none of connect, accept, bind, *;",
        "connect * 22 deny *, bind * 80 deny shm | 22 | another rule begins here: between rules stands a semicolon",
        "bind * 22 deny shm,* * 80 deny tcp     | 20 | another rule begins here: between rules stands a semicolon",
        "connect * 80                           | 13 | here the rule ends after 3 of 5 fields",
        "connect * 80 refuse shm                | 14 | 'refuse' is none of allow, prefer, deny, require",
        "connect * 9000-8000 deny shm           | 11 | the range 9000-8000 is empty, because it ends before it begins",
        "connect * 9000- deny shm               | 16 | '' is not a port",
        "connect * -9000 deny shm               | 11 | '' is not a port",
        "connect * - deny shm                   | 11 | '' is not a port",
        "connect * 80-9x deny shm               | 14 | '9x' is not a port",
        "connect * 0 deny shm                   | 11 | port 0 is outside 1 to 65535",
        "connect * 1-65536 deny shm             | 13 | port 65536 is outside 1 to 65535",
        "connect * http deny shm                | 11 | 'http' is not a port",
        "connect * 80 deny shm,udp              | 23 | there is no path 'udp'; there are rdma, shm, tcp",
        "connect * 80 deny shm,                 | 23 | there is no path ''",
        "connect * 80 deny shm, ,tcp            | 24 | there is no path ''",
        "connect * 80 deny shm,shm              | 23 | path 'shm' is named twice",
        "connect * 80 deny shm tcp              | 19 | there is no path 'shm tcp'",
        "connect 10.0.0.300 80 deny shm         | 9  | '10.0.0.300' is not an address",
        "connect 10.1 80 deny shm               | 9  | '10.1' is not an address",
        "connect 010.0.0.1 80 deny shm          | 9  | '010.0.0.1' is not an address",
        "connect [::1] 80 deny shm              | 9  | '[::1]' is not an address",
        "connect fe80::1%eth0 80 deny shm       | 9  | 'fe80::1%eth0' is not an address",
        "connect 10.0.0.1:80 80 deny shm        | 9  | '10.0.0.1:80' is not an address",
        "connect 10.0.0.0/33 80 deny shm        | 18 | '33' is not a length",
        "connect 10.0.0.0/ 80 deny shm          | 18 | '' is not a length",
        "connect 10.1.2.3/8 80 deny shm         | 9  | 10.1.2.3/8 has bits behind its first 8; write 10.0.0.0/8",
        "connect db.example.org/8 80 deny shm   | 9  | 'db.example.org' is not an address",
        "connect a..b 80 deny shm               | 9  | 'a..b' is neither an address nor a name",
        "connect gone.example.org 80 deny shm   | 9  | host 'gone.example.org' is not found",
    })
    void shouldSayWhereAMistakeIsAndWhatToWrite(String text, int column, String message) {
        assertThatThrownBy(() -> parse("bind * 1 deny shm\n" + text))
                .isInstanceOf(RuleMistakeException.class)
                .hasMessageStartingWith("rsockets4j: file:2:" + column + ": " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect 10.1.0.0/16 80 deny shm", "connect 10.1.2.3 85 prefer tcp",
        "connect 10.0.0.0/8 80-90 allow tcp"})
    void shouldRefuseARuleThatIsNeverReached(String second) {
        assertThatThrownBy(() -> parse("connect 10.0.0.0/8 80-90 require shm\n" + second))
                .isInstanceOf(RuleMistakeException.class)
                .hasMessageStartingWith("rsockets4j: file:2:1: this rule is never reached, because the rule at"
                        + " file:1:1 (require shm) takes all that it matches");
    }

    @ParameterizedTest
    @ValueSource(strings = {"accept 10.1.2.3 85 deny shm", "connect 10.1.2.3 85-91 deny shm",
        "connect 11.0.0.1 85 deny shm", "connect * 85 deny shm", "* 10.1.2.3 85 deny shm"})
    void shouldTakeRulesThatOverlapInPart(String second) {
        assertThat(parse("connect 10.0.0.0/8 80-90 require shm\n" + second)).hasSize(2);
    }

    private List<Rule> parse(String text) {
        return RuleParser.parseFile("file", text, PATHS, names);
    }
}
