package io.holdpoint.demo.model;

import io.holdpoint.demo.model.Task.AddToList;
import io.holdpoint.demo.model.Task.BookFlight;
import io.holdpoint.demo.model.Task.BuyShares;
import io.holdpoint.demo.model.Task.ColourPage;
import io.holdpoint.demo.model.Task.DeleteRecords;
import io.holdpoint.demo.model.Task.FindContact;
import io.holdpoint.demo.model.Task.PayBills;
import io.holdpoint.demo.model.Task.PayFromAccount;
import io.holdpoint.demo.model.Task.PayInvoice;
import io.holdpoint.demo.model.Task.TransferMoney;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tasks out of a request, as far as a few patterns can. */
final class English {

    private static final int CASE = Pattern.CASE_INSENSITIVE;

    /** Where a new task may begin. */
    private static final Pattern BOUNDARY =
            Pattern.compile("(?:[.;,]\\s+|\\n\\s*|\\s+(?=and\\s|then\\s))(?:(?:and|then|also|please)\\s+)*", CASE);

    static final String LEAD = "\\s*(?:(?:please|now|then|also|think|hi|hello|can you|could you)[,\\s]+)*";

    private static final Pattern TRANSFER = Pattern.compile(
            LEAD + "(?:transfer|send|pay|wire)\\s+(?:[$\u20ac]|eur\\s|usd\\s)?(\\d+(?:,\\d{3})*(?:\\.\\d+)?)"
                    + "\\s*(?:[$\u20ac]|euros?|eur|dollars?|usd)?\\s+to\\s+(.+?)(?:\\s+(?:for|from|because)\\b.*)?[.?!]?\\s*$",
            CASE);

    private static final Pattern FROM_ACCOUNT = Pattern.compile("\\bfrom the (?:household )?account\\b", CASE);

    private static final Pattern INVOICE = Pattern.compile(LEAD + "pay\\s+(?:the|my|this)\\s+invoice\\b", CASE);

    private static final Pattern BILLS =
            Pattern.compile(LEAD + "pay\\s+(?:all\\s+)?(?:(?:of\\s+)?(?:the|my|our|these)\\s+)?bills\\b", CASE);

    private static final Pattern DELETE = Pattern.compile(
            LEAD + "(?:delete|remove)\\s+(?:all\\s+)?(?:of\\s+)?(?:the\\s+)?(\\w+)?(?:\\s*(?:records|rows|entries))?"
                    + "\\s+(?:from|in)\\s+(?:the\\s+)?(\\w+)(?:\\s+table)?(?:\\s+where\\s+([^.?!]+))?",
            CASE);

    private static final Pattern FIND_OWNED = Pattern.compile(
            LEAD
                    + "(?:find|look up|search|show|get|give|what is|what['\u2019]s)\\s+(?:me\\s+)?(?:for\\s+)?(\\w+(?: \\w+)?)"
                    + "['\u2019]s?\\s+(?:e-?mail\\s+|mail\\s+)?(?:address|e-?mail|contact)",
            CASE);

    private static final Pattern FIND = Pattern.compile(
            LEAD + "(?:find|look up|search(?: for)?|who is)\\s+(?:the\\s+)?"
                    + "(?:contact\\s+|(?:e-?mail\\s+)?address (?:of|for)\\s+)?"
                    + "((?-i:[A-Z])\\w*(?: (?-i:[A-Z])\\w*)?)",
            CASE);

    private static final Pattern COLOUR = Pattern.compile(
            LEAD + "(?:make|change|set)\\s+(?:the\\s+)?background\\s+(?:colou?r\\s+)?(?:to\\s+)?(\\w+)", CASE);

    private static final Pattern SHARES =
            Pattern.compile(LEAD + "buy\\s+(\\d{1,6})\\s+shares\\s+of\\s+([\\w ]+?)\\s*[.?!]?\\s*$", CASE);

    private static final Pattern FLIGHT =
            Pattern.compile(LEAD + "book\\s+(?:me\\s+)?(?:a\\s+)?flight\\s+to\\s+([\\w ]+?)\\s*[.?!]?\\s*$", CASE);

    private static final Pattern LIST =
            Pattern.compile(LEAD + "(?:add|put)\\s+([\\w ]+?)\\s+(?:to|on)\\s+(?:my|the)\\s+list\\b", CASE);

    private static final Set<String> EVERYTHING = Set.of("all", "everything", "records", "rows", "entries");

    private English() {}

    /** The tasks in the order in which they are asked for; empty if the text is not understood. */
    static List<Task> tasks(String text) {
        List<Task> tasks = new ArrayList<>();
        sentences(text.strip()).forEach(sentence -> tasks.addAll(task(sentence)));
        return tasks;
    }

    /** Cuts at each word that may begin a task, unless what begins there is not one: it belongs to what came before. */
    private static List<String> sentences(String text) {
        List<String> sentences = new ArrayList<>();
        int start = 0;
        Matcher boundary = BOUNDARY.matcher(text);
        while (boundary.find()) {
            if (!task(text.substring(boundary.end())).isEmpty()
                    && !task(text.substring(start, boundary.start())).isEmpty()) {
                sentences.add(text.substring(start, boundary.start()));
                start = boundary.end();
            }
        }
        sentences.add(text.substring(start));
        return sentences;
    }

    private static List<Task> task(String text) {
        Matcher transfer = TRANSFER.matcher(text);
        if (transfer.lookingAt()) {
            BigDecimal amount = new BigDecimal(transfer.group(1).replace(",", ""));
            boolean isFromAccount = FROM_ACCOUNT.matcher(text).find();
            return people(transfer.group(2)).stream()
                    .<Task>map(to -> isFromAccount ? new PayFromAccount(amount, to) : new TransferMoney(amount, to))
                    .toList();
        }
        if (INVOICE.matcher(text).lookingAt()) {
            return List.of(new PayInvoice());
        }
        if (BILLS.matcher(text).lookingAt()) {
            return List.of(new PayBills());
        }
        Matcher delete = DELETE.matcher(text);
        if (delete.lookingAt()) {
            return List.of(new DeleteRecords(delete.group(2), filter(delete)));
        }
        Matcher colour = COLOUR.matcher(text);
        if (colour.lookingAt()) {
            return List.of(new ColourPage(colour.group(1).toLowerCase(Locale.ROOT)));
        }
        Matcher shares = SHARES.matcher(text);
        if (shares.lookingAt()) {
            return List.of(new BuyShares(Integer.parseInt(shares.group(1)), shares.group(2)));
        }
        Matcher flight = FLIGHT.matcher(text);
        if (flight.lookingAt()) {
            return List.of(new BookFlight(flight.group(1)));
        }
        Matcher list = LIST.matcher(text);
        if (list.lookingAt()) {
            return List.of(new AddToList(list.group(1)));
        }
        List<Task> questions = EnglishQuestion.tasks(text);
        if (!questions.isEmpty()) {
            return questions;
        }
        List<Task> mails = EnglishMail.tasks(text);
        return mails.isEmpty() ? find(text) : mails;
    }

    private static List<Task> find(String text) {
        Matcher owned = FIND_OWNED.matcher(text);
        if (owned.lookingAt()) {
            return List.of(new FindContact(owned.group(1)));
        }
        Matcher named = FIND.matcher(text);
        return named.lookingAt() ? List.of(new FindContact(named.group(1))) : List.of();
    }

    private static String filter(Matcher delete) {
        return Optional.ofNullable(delete.group(3)).map(String::strip).orElseGet(() -> Optional.ofNullable(
                        delete.group(1))
                .filter(which -> !EVERYTHING.contains(which.toLowerCase(Locale.ROOT)))
                .map(status -> "status = " + status)
                .orElse("all"));
    }

    /** The people in {@code Ada, Bob and carol@example.com}. */
    static List<String> people(String text) {
        return Pattern.compile("\\s*(?:,|&|\\band\\b)\\s*", CASE)
                .splitAsStream(text.strip())
                .filter(person -> !person.isBlank())
                .toList();
    }
}
