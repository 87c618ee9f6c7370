/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads {@code *}, an address, a network in CIDR notation, or the name of a host, which it looks up. */
final class HostParser {
    private static final Pattern NAME = Pattern.compile("(?i)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_-]+)*\\.?");
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"; // no leading 0: to some that is octal
    private static final Pattern FOUR = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private final HostNames names;

    HostParser(HostNames names) {
        this.names = names;
    }

    HostPattern parse(Token token) {
        String text = token.text();
        if (text.equals("*")) {
            return HostPattern.ANY;
        }
        int slash = text.indexOf('/');
        if (slash >= 0) {
            return network(token, slash);
        }
        if (text.indexOf(':') >= 0 || NUMBERS.matcher(text).matches()) {
            InetAddress address = literal(token, text);
            return new Network(address, bits(address));
        }
        return name(token);
    }

    private HostPattern name(Token token) {
        String name = token.text().toLowerCase(Locale.ROOT);
        if (!NAME.matcher(name).matches()) {
            throw new RuleMistakeException(token.position(), "'" + token.text() + "' is neither an address nor a name;"
                    + " write for example 10.0.0.0/8, fd00::1, db.example.org, or * for all");
        }
        try {
            names.learn(name);
        } catch (UnknownHostException e) {
            throw new RuleMistakeException(token.position(), "host '" + token.text() + "' is not found; see that"
                    + " 'getent hosts " + token.text() + "' finds it, or write its address");
        }
        return new HostPattern.NamedHost(name, names);
    }

    private static HostPattern network(Token token, int slash) {
        String text = token.text();
        InetAddress address = literal(token, text.substring(0, slash));
        String length = text.substring(slash + 1);
        int max = bits(address);
        if (!length.matches("\\d{1,3}") || Integer.parseInt(length) > max) {
            throw new RuleMistakeException(token.at(slash + 1), "'" + length + "' is not a length of this network's"
                    + " address; write a number from 0 to " + max);
        }
        Network network = new Network(address, Integer.parseInt(length));
        if (!network.hasNoBitsBehind()) {
            throw new RuleMistakeException(token.position(), text + " has bits behind its first " + length
                    + "; write " + format(network.masked()) + "/" + length + ", or the address alone");
        }
        return network;
    }

    /** An address by its digits, without a look-up. */
    private static InetAddress literal(Token token, String text) {
        boolean six = text.indexOf(':') >= 0 && text.matches("[0-9a-fA-F:.]+");
        if (six || FOUR.matcher(text).matches()) {
            try {
                return InetAddress.getByName(text); // digits or a colon: no look-up
            } catch (UnknownHostException e) {
                throw notAnAddress(token, text);
            }
        }
        throw notAnAddress(token, text);
    }

    private static RuleMistakeException notAnAddress(Token token, String text) {
        return new RuleMistakeException(token.position(), "'" + text + "' is not an address; write for example"
                + " 10.1.2.3 or fd00::1, without brackets, port or scope");
    }

    private static int bits(InetAddress address) {
        return address.getAddress().length * Byte.SIZE;
    }

    private static String format(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only thrown for a wrong length
        }
    }
}
