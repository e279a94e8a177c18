package io.holdpoint.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The public advisories about what is shipped: the list in the repository, compared with the bills of materials. {@link #main}
 * renews the list from advisories in OSV's format. What is accepted, with its reason, is written by hand.
 */
final class Advisories {

    static final Path LIST = Path.of("src/test/advisories.json");

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern PURL = Pattern.compile("(pkg:[^@?]+)@([^?]+).*");
    private static final Pattern MVNPM = Pattern.compile("pkg:maven/org\\.(?:mvnpm|webjars\\.npm)/");
    private static final int YEARS = 2;

    private final ObjectNode list;

    Advisories(ObjectNode list) {
        this.list = list;
    }

    static Advisories read() {
        return new Advisories((ObjectNode) json(LIST));
    }

    /** The bills of materials that the build has made: those that name everything, or, with the profile release, of every published module. */
    static List<JsonNode> bills() {
        List<JsonNode> bills = new ArrayList<>();
        for (Path module : Stream.concat(files(Path.of("../adapter"), 2), Stream.of(Path.of(".")))
                .toList()) {
            Path target = module.resolve("target");
            if (Files.isDirectory(target)) {
                files(target, 1)
                        .filter(file -> file.toString().endsWith("-cyclonedx.json"))
                        .forEach(file -> bills.add(json(file)));
            }
        }
        return bills;
    }

    /** A sentence for each version in a bill of materials that an advisory names and nobody has accepted. */
    List<String> against(List<JsonNode> bills) {
        List<String> found = new ArrayList<>();
        shipped(bills).forEach((name, versions) -> {
            for (JsonNode advisory : list.path("advisories")) {
                for (String version : versions) {
                    if (advisory.path("package").asText().equals(name)
                            && affected(advisory, version)
                            && !accepted(advisory, version)) {
                        found.add(name + " " + version + " is affected by "
                                + advisory.path("id").asText() + ": " + advisory.path("affected")
                                + ". Take a newer version, or accept it in " + LIST.getFileName()
                                + " with the reason.");
                    }
                }
            }
        });
        return found;
    }

    private boolean accepted(JsonNode advisory, String version) {
        for (JsonNode accepted : list.path("accepted")) {
            if (accepted.path("id").equals(advisory.path("id"))
                    && accepted.path("version").asText().equals(version)) {
                return true;
            }
        }
        return false;
    }

    private static boolean affected(JsonNode advisory, String version) {
        for (JsonNode range : advisory.path("affected")) {
            boolean begun = compare(version, range.path("from").asText("0")) >= 0;
            boolean mended =
                    range.has("before") && compare(version, range.path("before").asText()) >= 0;
            boolean after = range.has("to") && compare(version, range.path("to").asText()) > 0;
            if (begun && !mended && !after) {
                return true;
            }
        }
        return false;
    }

    /** Compares number by number; a qualifier such as {@code -beta2} comes before the version without it. */
    static int compare(String one, String other) {
        String[] left = one.split("[.+-]");
        String[] right = other.split("[.+-]");
        for (int i = 0; i < Math.max(left.length, right.length); i++) {
            String a = i < left.length ? left[i] : "0";
            String b = i < right.length ? right[i] : "0";
            boolean numbers = a.matches("\\d{1,18}") && b.matches("\\d{1,18}");
            int order = numbers ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : rank(a, b);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int rank(String a, String b) {
        boolean first = Character.isDigit(a.charAt(0));
        return first == Character.isDigit(b.charAt(0)) ? a.compareTo(b) : first ? 1 : -1;
    }

    private static Map<String, TreeSet<String>> shipped(List<JsonNode> bills) {
        Map<String, TreeSet<String>> shipped = new TreeMap<>();
        for (JsonNode bill : bills) {
            for (JsonNode component : bill.path("components")) {
                Matcher purl = PURL.matcher(component.path("purl").asText());
                if (purl.matches()) {
                    String name = MVNPM.matcher(purl.group(1)).replaceFirst("pkg:npm/");
                    shipped.computeIfAbsent(name, key -> new TreeSet<>()).add(purl.group(2));
                }
            }
        }
        return shipped;
    }

    /** Writes the list again: the advisories below a folder that name what is shipped, and those of other sources, as they were. */
    static Advisories renewed(Advisories before, List<JsonNode> bills, Path folder, LocalDate today) {
        Map<String, TreeSet<String>> shipped = shipped(bills);
        TreeMap<String, ObjectNode> found = new TreeMap<>();
        for (JsonNode old : before.list.path("advisories")) {
            if (!old.path("id").asText().matches("(CVE|GHSA)-.*")) {
                found.put(key(old), (ObjectNode) old);
            }
        }
        String oldest = today.minusYears(YEARS).toString();
        files(folder, Integer.MAX_VALUE)
                .filter(file -> file.toString().endsWith(".json"))
                .map(Advisories::json)
                .filter(osv ->
                        !osv.has("withdrawn") && osv.path("published").asText().compareTo(oldest) >= 0)
                .forEach(osv -> osv.path("affected").forEach(affected -> {
                    String name = purl(affected.path("package"));
                    if (shipped.containsKey(name)) {
                        ObjectNode advisory = advisory(osv, name);
                        ObjectNode known = found.computeIfAbsent(key(advisory), key -> advisory);
                        ((ArrayNode) known.path("affected")).addAll(ranges(affected));
                    }
                }));
        ObjectNode list = before.list.deepCopy();
        list.put("read", today.toString());
        list.putArray("advisories").addAll(found.values());
        return new Advisories(list);
    }

    private static String key(JsonNode advisory) {
        return advisory.path("package").asText() + " " + advisory.path("id").asText();
    }

    private static ObjectNode advisory(JsonNode osv, String name) {
        String id = osv.path("id").asText();
        for (JsonNode alias : osv.path("aliases")) {
            if (alias.asText().startsWith("CVE-")) {
                id = alias.asText();
            }
        }
        ObjectNode advisory = JSON.createObjectNode().put("id", id).put("package", name);
        advisory.putArray("affected");
        return advisory;
    }

    private static String purl(JsonNode named) {
        String type = named.path("ecosystem").asText().equals("Maven") ? "maven" : "npm";
        return "pkg:" + type + "/" + named.path("name").asText().replace(':', '/');
    }

    private static ArrayNode ranges(JsonNode affected) {
        ArrayNode ranges = JSON.createArrayNode();
        for (JsonNode range : affected.path("ranges")) {
            for (JsonNode event : range.path("events")) {
                if (event.has("introduced")) {
                    ranges.addObject().set("from", event.path("introduced"));
                } else if (event.has("fixed")) {
                    ((ObjectNode) ranges.get(ranges.size() - 1)).set("before", event.path("fixed"));
                } else if (event.has("last_affected")) {
                    ((ObjectNode) ranges.get(ranges.size() - 1)).set("to", event.path("last_affected"));
                }
            }
        }
        return ranges;
    }

    /** The list as it stands in the repository, an advisory per line. */
    String text() {
        StringBuilder text = new StringBuilder("{\n\"read\": ").append(list.path("read"));
        for (String part : List.of("accepted", "advisories")) {
            List<String> lines = new ArrayList<>();
            list.path(part).forEach(line -> lines.add(line.toString()));
            text.append(",\n\"")
                    .append(part)
                    .append("\": [\n")
                    .append(String.join(",\n", lines))
                    .append("\n]");
        }
        return text.append("\n}\n").toString();
    }

    /** Renews the list from a folder of advisories. */
    public static void main(String[] args) throws IOException {
        Advisories renewed = renewed(read(), bills(), Path.of(args[0]), LocalDate.now());
        Files.writeString(LIST, renewed.text());
        renewed.against(bills()).forEach(System.out::println);
    }

    private static Stream<Path> files(Path folder, int depth) {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.sorted(Comparator.naturalOrder()).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
