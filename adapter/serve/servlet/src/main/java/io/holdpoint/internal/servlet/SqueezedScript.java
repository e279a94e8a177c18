package io.holdpoint.internal.servlet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A script without comments, and without blanks that nothing needs. Texts, patterns and templates stay as they are; a template of several
 * lines is a style, which needs no blanks around its signs. It is for the scripts of this project, whose statements end with a semicolon.
 */
final class SqueezedScript {

    private static final String EXPORT = "export ";
    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_$][\\w$]*");

    private final String text;
    private final StringBuilder out = new StringBuilder();
    /** The number of braces that were open where each template was left for an expression. */
    private final Deque<Integer> templates = new ArrayDeque<>();

    /** Says of each of the brackets that are open if the present statement in it, or the one that has just ended, declares something. */
    private final Deque<Boolean> declares = new ArrayDeque<>(List.of(false));

    private int at;
    private int braces;

    private SqueezedScript(String text) {
        this.text = text;
    }

    static String of(String text) {
        return new SqueezedScript(text).squeezed();
    }

    private String squeezed() {
        while (at < text.length()) {
            char next = text.charAt(at);
            if (Character.isWhitespace(next)) {
                blanks();
            } else if (next == '\'' || next == '"') {
                statement(next);
                take(quoted(next));
            } else if (next == '`' || (next == '}' && !templates.isEmpty() && templates.peek() == braces)) {
                template(next);
            } else if (text.startsWith("//", at)) {
                at = text.indexOf('\n', at);
            } else if (text.startsWith("/*", at)) {
                at = text.indexOf("*/", at) + 2;
            } else if (next == '/' && isPattern()) {
                statement(next);
                take(pattern());
            } else if ((text.startsWith("const ", at) || text.startsWith("let ", at)) && !isInside()) {
                declaration();
            } else {
                braces += next == '{' ? 1 : next == '}' ? -1 : 0;
                statement(next);
                sign(next);
                take(at + 1);
            }
        }
        return out.toString();
    }

    /** Declares with those before it, if they are a statement of their own; nothing that is declared by {@code const} is assigned anew. */
    private void declaration() {
        boolean isExported = out.length() >= EXPORT.length()
                && out.substring(out.length() - EXPORT.length()).equals(EXPORT);
        if (!out.isEmpty() && out.charAt(out.length() - 1) == ';' && Boolean.TRUE.equals(declares.peek())) {
            out.setCharAt(out.length() - 1, ',');
        } else {
            out.append("let ");
        }
        declares.pop();
        declares.push(!isExported);
        at = text.indexOf(' ', at) + 1;
    }

    /** Notes where brackets begin and end, and where a statement begins that declares nothing. */
    private void statement(char next) {
        char before = out.isEmpty() ? ';' : out.charAt(out.length() - 1);
        if (before == ';' || (before == '}' && isWord(next))) {
            declares.pop();
            declares.push(false);
        }
        if ("({[".indexOf(next) >= 0) {
            declares.push(false);
        } else if (")}]".indexOf(next) >= 0) {
            declares.pop();
        }
    }

    private void take(int end) {
        out.append(text, at, end);
        at = end;
    }

    /** Takes back what needs not stand before this one: the last comma of a list, the last semicolon of a block, the brackets of one parameter. */
    private void sign(char next) {
        int last = out.length() - 1;
        char before = last < 0 ? ' ' : out.charAt(last);
        if ((before == ',' && ")]}".indexOf(next) >= 0) || (before == ';' && next == '}')) {
            out.setLength(last);
        } else if (before == ')' && text.startsWith("=>", at)) {
            int open = out.lastIndexOf("(");
            String parameter = out.substring(open + 1, last);
            if (PARAMETER.matcher(parameter).matches() && open > 0 && !isWord(out.charAt(open - 1))) {
                out.replace(open, out.length(), parameter);
            }
        }
    }

    /** Keeps one blank between two words, and between two signs that would become another one. */
    private void blanks() {
        int end = at;
        while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        char before = out.isEmpty() ? ' ' : out.charAt(out.length() - 1);
        char after = end < text.length() ? text.charAt(end) : ' ';
        if ((isWord(before) && isWord(after)) || (before == after && (before == '+' || before == '-'))) {
            out.append(' ');
        }
        at = end;
    }

    /** Tells whether the next characters belong to a word, or are the name of a member. */
    private boolean isInside() {
        return !out.isEmpty() && (isWord(out.charAt(out.length() - 1)) || out.charAt(out.length() - 1) == '.');
    }

    private static boolean isWord(char character) {
        return Character.isLetterOrDigit(character) || character == '_' || character == '$';
    }

    private int quoted(char quote) {
        int end = at + 1;
        while (text.charAt(end) != quote) {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return end + 1;
    }

    /** The text of a template, from its beginning or the end of an expression to its end or the beginning of the next one. */
    private void template(char first) {
        if (first == '}') {
            templates.pop();
        } else {
            statement(first);
        }
        int end = at + 1;
        while (text.charAt(end) != '`' && !text.startsWith("${", end)) {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        boolean isExpression = text.charAt(end) == '$';
        if (isExpression) {
            templates.push(braces);
            end++;
        }
        String part = text.substring(at, end + 1);
        out.append(part.contains("\n") ? style(part) : part);
        at = end + 1;
    }

    private static String style(String css) {
        return css.replaceAll("(?s)/\\*.*?\\*/", "")
                .replaceAll("\\s+", " ")
                .replaceAll(" ?([{};,>]) ?", "$1")
                .replaceAll("(?<=[\\w-]): ", ":")
                .replaceAll("(?<=[ (:])0\\.(?=\\d)", ".")
                .replace(";}", "}");
    }

    /** Tells whether a slash begins a pattern, and divides nothing. */
    private boolean isPattern() {
        return out.isEmpty()
                || "(,=:[!&|?{};>+".indexOf(out.charAt(out.length() - 1)) >= 0
                || out.toString().endsWith("return");
    }

    private int pattern() {
        int end = at + 1;
        boolean isClass = false;
        while (isClass || text.charAt(end) != '/') {
            char next = text.charAt(end);
            isClass = next == '[' || (isClass && next != ']');
            end += next == '\\' ? 2 : 1;
        }
        return end + 1;
    }
}
