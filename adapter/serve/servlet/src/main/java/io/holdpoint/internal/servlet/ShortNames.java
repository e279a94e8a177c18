package io.holdpoint.internal.servlet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A {@linkplain SqueezedScript squeezed} script with short names for its own variables. A name becomes the same short one wherever it is a variable,
 * whatever the scope. Two names get the same one if no part of the script has both and not both are declared outside of all parts; a part is one
 * declaration of the module, so nothing more need be known of scopes. Names of members, of what is exported or imported, and of what the script does
 * not declare stay as they are.
 */
final class ShortNames {

    private static final String LETTERS = "etnrsiaolcdhupmfgbvywkxjqzETNRSIAOLCDHUPMFGBVYWKXJQZ";
    private static final Pattern TEXT = Pattern.compile("'(?:[^'\\\\]++|\\\\.)*+'|\"(?:[^\"\\\\]++|\\\\.)*+\"");
    private static final Pattern EXPRESSION =
            Pattern.compile("/(?:[^/\\\\\\[]++|\\\\.|\\[(?:[^\\]\\\\]++|\\\\.)*+])++/[a-z]*");
    private static final Pattern TEMPLATE =
            Pattern.compile("[`}](?:[^`\\\\$]++|\\\\.|\\$(?!\\{))*+(?:`|\\$\\{)", Pattern.DOTALL);
    private static final Pattern SIGN =
            Pattern.compile("#?[A-Za-z_$][\\w$]*+|\\d[\\w.]*+|=>|\\.\\.\\.|\\?\\.(?!\\d)|.", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("[A-Za-z_$][\\w$]*");

    /** Words of the language, and names of the browser's that somebody might declare. */
    private static final Set<String> KEPT = Set.of(
            ("let const var function return if else for of in while do switch case default break continue class extends new this super"
                            + " typeof instanceof void delete try catch finally throw async await yield export import from get set static null"
                            + " true false undefined constructor arguments document window globalThis navigator crypto location history event"
                            + " Event Error Date URL Map Set Object Array String Number Math JSON")
                    .split(" "));

    private static final Set<String> BEFORE_A_BLOCK = Set.of(")", "=>", ";", "{", "}", "else", "try", "finally", "do");
    private static final Set<String> BEGIN = Set.of("let", "export", "function", "async", "class", "if", "for");
    private static final Set<String> BEFORE_A_CONDITION = Set.of("if", "for", "while", "switch");

    /** The place of a word. */
    private enum Place {
        VARIABLE,
        MEMBER,
        /** The name of a member and the variable that it stands for. */
        BOTH,
        /** Something that this script imports or exports. */
        OUTSIDE
    }

    private final List<String> tokens = new ArrayList<>();
    private final BitSet blankAfter = new BitSet();

    /** The innermost bracket around each token: a parenthesis, a list, an object, a block, a class, or the names of an import. */
    private final List<Character> inside = new ArrayList<>();

    private final Map<Integer, Integer> ends = new HashMap<>();
    private final Set<String> declared = new HashSet<>();

    /** Those among them that are variables of the module. */
    private final Set<String> ofModule = new HashSet<>();

    private final BitSet isOutside = new BitSet();

    /** Says whether the present statement of the module declares variables. */
    private boolean declares;

    private ShortNames(String script) {
        read(script);
        findBrackets();
        findDeclarations();
    }

    static String of(String script) {
        return new ShortNames(script).shortened();
    }

    private void read(String script) {
        Deque<Integer> templates = new ArrayDeque<>();
        int braces = 0;
        for (int at = 0; at < script.length(); ) {
            char next = script.charAt(at);
            boolean goesOn = next == '}' && !templates.isEmpty() && templates.peek() == braces;
            Pattern kind = next == '\'' || next == '"'
                    ? TEXT
                    : next == '`' || goesOn ? TEMPLATE : next == '/' && isExpression() ? EXPRESSION : SIGN;
            Matcher found = kind.matcher(script).region(at, script.length());
            if (!found.lookingAt()) {
                throw new IllegalStateException("not a script: " + script.substring(at));
            }
            at = found.end();
            String token = found.group();
            if (token.isBlank()) {
                blankAfter.set(tokens.size() - 1);
                continue;
            }
            if (kind == TEMPLATE && goesOn) {
                templates.pop();
            }
            if (kind == TEMPLATE && token.endsWith("${")) {
                templates.push(braces);
            }
            braces += token.equals("{") ? 1 : token.equals("}") ? -1 : 0;
            tokens.add(token);
        }
    }

    private boolean isExpression() {
        String before = token(tokens.size() - 1);
        return before.equals("return") || ";(,=:[!&|?{}>+".indexOf(before.charAt(before.length() - 1)) >= 0;
    }

    private String token(int index) {
        return index < 0 || index >= tokens.size() ? ";" : tokens.get(index);
    }

    private void findBrackets() {
        Deque<Integer> open = new ArrayDeque<>();
        Deque<Character> kinds = new ArrayDeque<>(List.of('b'));
        boolean isClass = false;
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            isClass |= token.equals("class")
                    && !token(i - 1).equals(".")
                    && !token(i + 1).equals(":");
            if (token.length() == 1 && ")]}".contains(token)) {
                kinds.pop();
                ends.put(open.pop(), i);
            }
            inside.add(kinds.peek());
            isOutside.set(i, open.isEmpty());
            if (token.length() == 1 && "([".contains(token)) {
                kinds.push(token.charAt(0));
                open.push(i);
            } else if (token.equals("{")) {
                String before = token(i - 1);
                kinds.push(isClass ? 'c' : before.equals("import") ? 'i' : BEFORE_A_BLOCK.contains(before) ? 'b' : 'o');
                open.push(i);
                isClass = false;
            }
        }
    }

    private Place place(int i) {
        String before = token(i - 1);
        String after = token(i + 1);
        char in = inside.get(i);
        boolean begins = before.equals("{") || before.equals(",");
        if (in == 'i') {
            return Place.OUTSIDE;
        } else if (before.equals(".") || before.equals("?.")) {
            return Place.MEMBER;
        } else if (in == 'o' && begins && (after.equals(":") || after.equals("("))) {
            return Place.MEMBER;
        } else if (in == 'o' && begins && (after.equals(",") || after.equals("}") || after.equals("="))) {
            return Place.BOTH;
        } else if ((in == 'o' || in == 'c')
                && Set.of("get", "set", "async", "*").contains(before)
                && after.equals("(")) {
            return Place.MEMBER;
        } else if (in == 'c' && (Set.of("{", "}", ";", "static").contains(before))) {
            return Place.MEMBER;
        }
        boolean isExported = Set.of("let", "function", "class").contains(before)
                && (token(i - 2).equals("export")
                        || (token(i - 2).equals("async") && token(i - 3).equals("export")));
        return isExported ? Place.OUTSIDE : Place.VARIABLE;
    }

    private boolean isName(int i) {
        return WORD.matcher(token(i)).matches() && !KEPT.contains(token(i));
    }

    private void findDeclarations() {
        for (int i = 0; i < tokens.size(); i++) {
            String before = token(i - 1);
            boolean isFunction = before.equals("function")
                    || (before.equals("*") && token(i - 2).equals("function"));
            if (isName(i)
                    && (isFunction || before.equals("class") || token(i + 1).equals("=>"))) {
                declare(token(i), isOutside.get(i) && !token(i + 1).equals("=>"));
            } else if (token(i).equals("let")) {
                declare(i + 1, isOutside.get(i));
            } else if (token(i).equals("(") && takesParameters(i)) {
                names(i, false);
            }
        }
    }

    private boolean takesParameters(int open) {
        String after = token(ends.get(open) + 1);
        return after.equals("=>") || (after.equals("{") && !BEFORE_A_CONDITION.contains(token(open - 1)));
    }

    /** Declares what follows {@code let}, up to the end of the statement. */
    private void declare(int first, boolean inModule) {
        pattern(first, inModule);
        for (int i = first; i < tokens.size() && !")];}".contains(token(i)) && !token(i).equals("of"); i++) {
            if (token(i).equals(",")) {
                pattern(i + 1, inModule);
            }
            i = ends.getOrDefault(i, i);
        }
    }

    private void declare(String name, boolean inModule) {
        declared.add(name);
        if (inModule) {
            ofModule.add(name);
        }
    }

    private void names(int open, boolean inModule) {
        pattern(open + 1, inModule);
        for (int i = open + 1; i < ends.get(open); i++) {
            if (token(i).equals(",")) {
                pattern(i + 1, inModule);
            }
            i = ends.getOrDefault(i, i);
        }
    }

    /** Declares a name, or the names of a pattern, that stands here. */
    private void pattern(int at, boolean inModule) {
        int i = token(at).equals("...") ? at + 1 : at;
        if (isName(i)) {
            boolean isRenamed = token(i + 1).equals(":") && inside.get(i) == 'o';
            if (isRenamed) {
                pattern(i + 2, inModule);
            } else {
                declare(token(i), inModule);
            }
        } else if (token(i).equals("{") || token(i).equals("[")) {
            names(i, inModule);
        }
    }

    private String shortened() {
        Map<String, Integer> uses = new LinkedHashMap<>();
        Map<String, BitSet> parts = new HashMap<>();
        Set<String> taken = new HashSet<>(KEPT);
        for (int i = 0, part = 0; i < tokens.size(); i++) {
            part += isOutside.get(i) && beginsPart(i) ? 1 : 0;
            Place place = WORD.matcher(token(i)).matches() ? place(i) : Place.MEMBER;
            if (place == Place.OUTSIDE) {
                taken.add(token(i));
            } else if (place != Place.MEMBER) {
                uses.merge(token(i), 1, Integer::sum);
                parts.computeIfAbsent(token(i), name -> new BitSet()).set(part);
            }
        }
        uses.keySet().stream()
                .filter(name -> name.length() == 1 || !declared.contains(name))
                .forEach(taken::add);
        uses.keySet().removeAll(taken);
        Map<String, String> names = new HashMap<>();
        Map<String, List<String>> users = new HashMap<>();
        uses.keySet().stream()
                .sorted(Comparator.comparingInt(name -> -uses.get(name)))
                .forEach(name -> {
                    String free = Stream.iterate(0, i -> i + 1)
                            .map(ShortNames::candidate)
                            .filter(each -> !taken.contains(each)
                                    && users.getOrDefault(each, List.of()).stream()
                                            .noneMatch(user -> meet(name, user, parts)))
                            .findFirst()
                            .orElseThrow();
                    names.put(name, free);
                    users.computeIfAbsent(free, none -> new ArrayList<>()).add(name);
                });
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            String name = names.get(token);
            Place place = name == null ? Place.MEMBER : place(i);
            out.append(
                    switch (place) {
                        case MEMBER, OUTSIDE -> token;
                        case VARIABLE -> name;
                        case BOTH -> token + ":" + name;
                    });
            if (blankAfter.get(i)) {
                out.append(' ');
            }
        }
        return out.toString();
    }

    /** Tells whether a declaration of the module begins. */
    private boolean beginsPart(int i) {
        boolean isNext = token(i - 1).equals(",") && declares;
        boolean isFirst = token(i - 1).equals(";") || (token(i - 1).equals("}") && BEGIN.contains(token(i)));
        if (isFirst) {
            declares = token(i).equals("let")
                    || (token(i).equals("export") && token(i + 1).equals("let"));
        }
        return isNext || isFirst;
    }

    private boolean meet(String one, String other, Map<String, BitSet> parts) {
        return (ofModule.contains(one) && ofModule.contains(other))
                || parts.get(one).intersects(parts.get(other));
    }

    private static String candidate(int i) {
        String last = LETTERS.substring(i % 52, i % 52 + 1);
        return i < 52 ? last : LETTERS.charAt(i / 52 - 1) + last;
    }
}
