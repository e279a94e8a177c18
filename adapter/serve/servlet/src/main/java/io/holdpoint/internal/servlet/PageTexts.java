package io.holdpoint.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Collections;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The texts of the page behind a link, in the language of its reader: those of the card, from the card's own files, and what the page alone says. The
 * English text is the name of each, as it is on the card. Immutable.
 */
final class PageTexts {

    private static final Pattern ENTRY = Pattern.compile("(?m)^  '((?:[^'\\\\]|\\\\.)*)': '((?:[^'\\\\]|\\\\.)*)',$");
    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");
    private static final String RIGHT_TO_LEFT = "ar";

    private static final Map<String, Map<String, String>> LANGUAGES = Stream.of("ar", "de", "es", "fr")
            .collect(Collectors.toUnmodifiableMap(UnaryOperator.identity(), PageTexts::all));

    private final Locale locale;
    private final Map<String, String> texts;
    private final DateTimeFormatter days;

    PageTexts(Locale locale) {
        // with the digits of the other numbers on the page, which are those of the card in all of these languages
        this.locale = Locale.forLanguageTag(locale.stripExtensions().toLanguageTag() + "-u-nu-latn");
        this.texts = LANGUAGES.getOrDefault(locale.getLanguage(), Map.of());
        this.days = DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(this.locale);
    }

    private static Map<String, String> all(String language) {
        Map<String, String> texts = new HashMap<>(read("card/lang/", language));
        texts.putAll(read("link/", language));
        return Map.copyOf(texts);
    }

    /** The texts of one file, which is a script, since a browser reads the card's. */
    static Map<String, String> read(String folder, String language) {
        return ENTRY.matcher(CardScript.file(folder + language + ".js"))
                .results()
                .collect(Collectors.toMap(found -> plain(found.group(1)), found -> plain(found.group(2))));
    }

    private static String plain(String literal) {
        return literal.replace("\\'", "'");
    }

    /** Those of the language that the address names by {@code lang}, or that the browser asks for; in English if there is no such one. */
    static PageTexts of(HttpServletRequest request) {
        String named = LinkPage.parameters(request)
                .filter(pair -> pair[0].equals("lang") && pair.length > 1)
                .map(pair -> pair[1])
                .findFirst()
                .orElse("");
        List<Locale> asked =
                request.getHeader("Accept-Language") == null ? List.of() : Collections.list(request.getLocales());
        return new PageTexts(Stream.concat(Stream.of(Locale.forLanguageTag(named)), asked.stream())
                .filter(each -> each.getLanguage().equals("en") || LANGUAGES.containsKey(each.getLanguage()))
                .findFirst()
                .orElse(Locale.ENGLISH));
    }

    /** The attributes of a document in this language. */
    String attributes() {
        return "lang=\"" + locale.getLanguage() + "\"" + (isRightToLeft() ? " dir=\"rtl\"" : "");
    }

    private boolean isRightToLeft() {
        return locale.getLanguage().equals(RIGHT_TO_LEFT);
    }

    String say(String text) {
        return html(text, Map.of());
    }

    /** Says it as markup: each value in its place is escaped already. Where what is around runs the other way, a value keeps to itself. */
    String html(String text, Map<String, String> values) {
        String form = form(texts.getOrDefault(text, text), values.get("n"));
        return PLACE.matcher(LinkPage.markup(form)).replaceAll(place -> {
            String value = values.getOrDefault(place.group(1), place.group());
            return Matcher.quoteReplacement(isRightToLeft() ? "<bdi>" + value + "</bdi>" : value);
        });
    }

    /** As the card does: two forms are for one and for others. */
    private String form(String text, @Nullable String number) {
        String[] forms = text.split("\\|");
        boolean isOne = "1".equals(number)
                || ("0".equals(number) && locale.getLanguage().equals("fr"));
        return forms[isOne ? 0 : forms.length - 1];
    }

    String time(Instant time) {
        ZonedDateTime there = time.atZone(ZoneOffset.UTC);
        return days.format(there)
                + DateTimeFormatter.ofPattern(", HH:mm 'UTC'", Locale.ROOT).format(there);
    }

    /** A day, or a time, of a year that people write, in words; empty if the text is none. */
    Optional<String> dateInWords(String text, String format) {
        try {
            return Optional.of(text)
                    .filter(written -> written.matches("\\d{4}-.+"))
                    .map(written -> format.equals("date")
                            ? days.format(LocalDate.parse(written))
                            : time(OffsetDateTime.parse(written).toInstant()));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A number of JSON as people write it here, with all of its digits and nothing between them. */
    String number(String token) {
        return token.replace('.', DecimalFormatSymbols.getInstance(locale).getDecimalSeparator());
    }

    /** An amount of money, with all digits of the number; a currency that nobody knows is a unit. */
    String money(BigDecimal amount, String code) {
        if (Currency.getAvailableCurrencies().stream()
                .noneMatch(known -> known.getCurrencyCode().equals(code))) {
            return number(amount.toPlainString()) + " " + code;
        }
        DecimalFormat format = (DecimalFormat) NumberFormat.getCurrencyInstance(locale);
        format.setCurrency(Currency.getInstance(code));
        format.setMinimumFractionDigits(Math.max(0, format.getCurrency().getDefaultFractionDigits()));
        format.setMaximumFractionDigits(Math.max(format.getMinimumFractionDigits(), amount.scale()));
        return format.format(amount).replaceFirst("(\\p{L})(\\d)", "$1\u00a0$2"); // as browsers do
    }
}
