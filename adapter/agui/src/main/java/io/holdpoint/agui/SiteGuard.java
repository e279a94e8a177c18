package io.holdpoint.agui;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Keeps web pages of other sites from using an agent that a person can reach: a page anywhere can send requests to a server on
 * its reader's machine, and a name that it controls may lead there (DNS rebinding). For transports over HTTP. Immutable.
 */
public final class SiteGuard {

    /** The name that stands for all names: {@value}. */
    public static final String ANY_HOST = "*";

    private static final Pattern LOOPBACK = Pattern.compile("(.+\\.)?localhost|127(\\.\\d{1,3}){3}");
    private static final Pattern PORT = Pattern.compile(":\\d*$");

    private final Set<String> hosts;
    private final String setting;

    /**
     * Creates a guard.
     *
     * @param hosts the names by which this server is reached besides its address and those of the loopback, each with a port or
     *     for any port; {@value #ANY_HOST} for every name
     * @param setting what adds a name, for messages: {@code hosts("%s")}, where {@code %s} becomes the name
     */
    public SiteGuard(Collection<String> hosts, String setting) {
        this.hosts = hosts.stream().map(SiteGuard::normal).collect(Collectors.toUnmodifiableSet());
        this.setting = setting;
    }

    /**
     * Checks by which name a request reached the server. For agents without authentication: others refuse such a
     * request by its missing credentials.
     *
     * @param host the header {@code Host}, or {@code :authority}
     * @param bound the addresses and names at which the server listens; {@code null} among them is left out
     * @return why the request is refused, and what to configure; empty if it is taken
     */
    public Optional<String> refuseHost(String host, String... bound) {
        String name = normal(host);
        if (isOurs(name) || hosts.contains(ANY_HOST) || isLoopback(withoutPort(name))) {
            return Optional.empty();
        }
        for (String each : bound) {
            if (each != null
                    && normal(each.contains(":") && !each.startsWith("[") ? "[" + each + "]" : each)
                            .equals(withoutPort(name))) {
                return Optional.empty();
            }
        }
        return Optional.of("Host \"" + name + "\" is not allowed. If it is a name of this server, configure "
                + setting.formatted(withoutPort(name)) + ".");
    }

    /**
     * Checks which site's page sent a request.
     *
     * @param host the header {@code Host}, or {@code :authority}
     * @param origin the header {@code Origin}
     * @param fetchSite the header {@code Sec-Fetch-Site}
     * @param allowed whether rules for CORS allow the origin
     * @return why the request is refused, and what to configure; empty if it is taken
     */
    public Optional<String> refuseOrigin(
            String host, Optional<String> origin, Optional<String> fetchSite, boolean allowed) {
        String site = origin.map(SiteGuard::authority).orElse("");
        boolean foreign = origin.isPresent() && !site.equals(normal(host)) && !isOurs(site);
        if (allowed || !foreign && !fetchSite.orElse("").equalsIgnoreCase("cross-site")) {
            return Optional.empty();
        }
        String from = site.isEmpty() ? "another site" : site;
        return Optional.of("A page of " + from
                + " may not use this agent. To allow it, allow its origin by CORS; if this is a name"
                + " of this server, configure "
                + setting.formatted(site.isEmpty() ? "app.example" : withoutPort(site)) + ".");
    }

    private boolean isOurs(String name) {
        return hosts.contains(name) || hosts.contains(withoutPort(name));
    }

    private static boolean isLoopback(String name) {
        return LOOPBACK.matcher(name).matches() || name.equals("[0:0:0:0:0:0:0:1]");
    }

    /** Gives the host and port of an origin; empty for {@code null} and the like. */
    private static String authority(String origin) {
        int at = origin.indexOf("://");
        return at < 0 ? "" : normal(origin.substring(at + 3));
    }

    private static String withoutPort(String name) {
        return PORT.matcher(name).replaceFirst("");
    }

    /** Writes an address always in the same way, and a name in small letters without the dot at its end. */
    private static String normal(String host) {
        String small = host.strip().toLowerCase(Locale.ROOT);
        int end = small.indexOf(']');
        if (small.startsWith("[") && end > 0) {
            try { // what stands in brackets is never looked up
                String address =
                        InetAddress.getByName(small.substring(0, end + 1)).getHostAddress();
                return (address.contains(":") ? "[" + address.split("%", 2)[0] + "]" : address)
                        + small.substring(end + 1);
            } catch (UnknownHostException e) {
                return small;
            }
        }
        return small.replaceFirst("\\.(?=$|:\\d*$)", "");
    }
}
