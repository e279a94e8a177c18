package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A bound for the arguments of a tool: for each of them, the numbers between two, and some values as JSON texts, of which an empty one is
 * that of an argument that is not there.
 */
final class AcceptedCalls {

    private static final int OFTEN = 2;

    /** The numbers and texts that an argument may be. */
    private record Allowed(
            @Nullable BigDecimal least, @Nullable BigDecimal most, SortedSet<String> texts) {

        boolean hasNumber(BigDecimal number) {
            return least != null && most != null && number.compareTo(least) >= 0 && number.compareTo(most) <= 0;
        }

        boolean has(JsonNode value) {
            return value.isNumber() && hasNumber(value.decimalValue()) || texts.contains(value.toString());
        }

        /**
         * Says whether the gate may have made a value that is allowed of one that was proposed: an argument that is not there gets its
         * default, a text becomes a number or a truth value, and a constant is found in any case, within objects too.
         */
        boolean mayHave(JsonNode value) {
            Optional<BigDecimal> number = number(value);
            return value.isMissingNode()
                    || value.isNull()
                    || value.isContainerNode()
                    || number.isPresent() && hasNumber(number.get())
                    || texts.stream()
                            .anyMatch(text -> text.equalsIgnoreCase(value.toString())
                                    || text.equalsIgnoreCase(value.asText().strip())
                                    || text.equalsIgnoreCase(
                                            "\"" + value.asText().strip() + "\""));
        }
    }

    private final SortedMap<String, Allowed> arguments;
    private final Set<String> whatever;

    private AcceptedCalls(SortedMap<String, Allowed> arguments, Set<String> whatever) {
        this.arguments = arguments;
        this.whatever = whatever;
    }

    private static Optional<BigDecimal> number(JsonNode value) {
        try {
            return value.isNumber() || value.isTextual()
                    ? Optional.of(new BigDecimal(value.asText().strip()))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Finds a bound around approved calls, as many as can be, that leaves the others out; empty if too few approved ones are left. */
    static Optional<AcceptedCalls> without(List<ObjectNode> others, List<ObjectNode> approved, Set<String> whatever) {
        List<ObjectNode> left = approved;
        while (left.size() >= PolicySuggestions.MIN_DECISIONS) {
            Optional<AcceptedCalls> around = around(left, whatever);
            if (around.isEmpty()) {
                return Optional.empty();
            }
            AcceptedCalls bound = around.get();
            List<ObjectNode> covered = left.stream().filter(bound::cover).toList();
            if (covered.size() < left.size()) {
                left = covered; // without values that are rare, so that the numbers may be fewer too
                continue;
            }
            Optional<ObjectNode> wrong = others.stream().filter(bound::mayCover).findFirst();
            if (wrong.isEmpty()) {
                return around;
            }
            left = bound.cut(wrong.get(), left);
        }
        return Optional.empty();
    }

    private static Optional<AcceptedCalls> around(List<ObjectNode> approved, Set<String> whatever) {
        SortedSet<String> names = new TreeSet<>();
        approved.forEach(call -> call.fieldNames().forEachRemaining(names::add));
        names.removeAll(whatever);
        SortedMap<String, Allowed> arguments = new TreeMap<>();
        for (String name : names) {
            List<JsonNode> values =
                    approved.stream().map(call -> call.path(name)).toList();
            List<BigDecimal> numbers = values.stream()
                    .filter(value -> value.isNumber() && !isId(name))
                    .map(JsonNode::decimalValue)
                    .sorted()
                    .toList();
            SortedSet<String> texts = new TreeSet<>(values.stream()
                    .filter(value -> !value.isNumber() || isId(name))
                    .collect(Collectors.groupingBy(JsonNode::toString, Collectors.counting()))
                    .entrySet()
                    .stream()
                    .filter(text -> text.getValue() >= OFTEN)
                    .map(Map.Entry::getKey)
                    .toList());
            if (texts.size() > PolicySuggestions.MOST_VALUES || texts.isEmpty() && numbers.isEmpty()) {
                return Optional.empty();
            }
            arguments.put(
                    name,
                    numbers.isEmpty()
                            ? new Allowed(null, null, texts)
                            : new Allowed(numbers.get(0), numbers.get(numbers.size() - 1), texts));
        }
        return arguments.isEmpty() ? Optional.empty() : Optional.of(new AcceptedCalls(arguments, whatever));
    }

    /** A number with such a name is no amount: between two customers stands nothing that people have looked at. */
    private static boolean isId(String name) {
        return name.matches("(?:.*_)?(?i:id|no|nr|number|code|account)|.*(?:Id|ID|No|Nr|Number|Code|Account)");
    }

    boolean cover(ObjectNode call) {
        for (Map.Entry<String, JsonNode> argument : call.properties()) {
            if (!arguments.containsKey(argument.getKey()) && !whatever.contains(argument.getKey())) {
                return false;
            }
        }
        return arguments.entrySet().stream()
                .allMatch(argument -> argument.getValue().has(call.path(argument.getKey())));
    }

    private boolean mayCover(ObjectNode call) {
        return arguments.entrySet().stream()
                .allMatch(argument -> argument.getValue().mayHave(call.path(argument.getKey())));
    }

    /** Leaves out a call, by the argument that costs fewest of the approved ones: those below it, above it, or with another value stay. */
    private List<ObjectNode> cut(ObjectNode wrong, List<ObjectNode> approved) {
        List<ObjectNode> best = List.of();
        for (String name : arguments.keySet()) {
            JsonNode value = wrong.path(name);
            List<Predicate<JsonNode>> ways = new ArrayList<>();
            number(value).ifPresent(number -> {
                ways.add(each -> each.isNumber() && each.decimalValue().compareTo(number) < 0);
                ways.add(each -> each.isNumber() && each.decimalValue().compareTo(number) > 0);
            });
            ways.add(each -> !new Allowed(null, null, new TreeSet<>(Set.of(each.toString()))).mayHave(value));
            for (Predicate<JsonNode> way : ways) {
                List<ObjectNode> left = approved.stream()
                        .filter(call -> way.test(call.path(name)))
                        .toList();
                best = left.size() > best.size() && left.size() < approved.size() ? left : best;
            }
        }
        return best;
    }

    /** The bound as a policy in Java that uses core only. */
    String policyOf(String tool) {
        List<String> conditions = new ArrayList<>();
        SortedSet<String> names = new TreeSet<>(arguments.keySet());
        names.addAll(whatever);
        conditions.add("call.arguments().properties().stream().allMatch(each -> " + setOf(names)
                + ".contains(each.getKey()))");
        arguments.forEach((name, allowed) -> {
            String value = "call.arguments().path(" + literal(name) + ")";
            List<String> ways = new ArrayList<>();
            if (allowed.least != null) {
                ways.add(value + ".isNumber() && " + value + ".decimalValue().compareTo(new BigDecimal(\""
                        + allowed.least + "\")) >= 0 && " + value + ".decimalValue().compareTo(new BigDecimal(\""
                        + allowed.most + "\")) <= 0");
            }
            if (!allowed.texts.isEmpty()) {
                ways.add(setOf(allowed.texts) + ".contains(" + value + ".toString())");
            }
            conditions.add(ways.size() == 1 ? ways.get(0) : "(" + String.join(" || ", ways) + ")");
        });
        return "ToolPolicy.named(" + literal(tool) + ").when(call -> ApprovalVerdict.requireApprovalIf(!(\n        "
                + String.join("\n        && ", conditions) + ")))";
    }

    private static String setOf(SortedSet<String> texts) {
        return texts.stream().map(AcceptedCalls::literal).collect(Collectors.joining(", ", "Set.of(", ")"));
    }

    /** A literal of Java in ASCII: whatever others have written stays within it, in a comment too. */
    static String literal(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(java.util.Locale.ROOT, "\\%03o", (int) c));
            } else if (c < 0x7f) {
                out.append(c);
            } else {
                out.append("\\u").append(HexFormat.of().toHexDigits(c));
            }
        }
        return out.append('"').toString();
    }
}
