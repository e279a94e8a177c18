package io.holdpoint.demo.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One thing that a user asked for. */
sealed interface Task
        permits Task.FindContact,
                Task.WriteMail,
                Task.TransferMoney,
                Task.PayFromAccount,
                Task.PayInvoice,
                Task.PayBills,
                Task.BuyShares,
                Task.BookFlight,
                Task.ColourPage,
                Task.AddToList,
                Task.DeleteRecords,
                QuestionTask {

    /** What to do next, given what happened in the turn so far. */
    Step next(Turn turn);

    /** To look somebody up. */
    record FindContact(String name) implements Task {

        static Call search(String name) {
            return new Call(
                    "searchContacts",
                    Call.noArgs().put("query", name),
                    "look up " + name,
                    "looked up " + name,
                    "search for " + name);
        }

        @Override
        public Step next(Turn turn) {
            return turn.step(search(name));
        }
    }

    /** To write to somebody, whose address may have to be found first. */
    record WriteMail(String recipient, String subject, String body) implements Task {

        private static final Pattern ADDRESS = Pattern.compile("[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+");

        @Override
        public Step next(Turn turn) {
            if (ADDRESS.matcher(recipient).matches()) {
                return turn.step(send(recipient));
            }
            Call search = FindContact.search(recipient);
            return turn.outcome(search).map(found -> afterSearch(turn, found)).orElseGet(() -> turn.step(search));
        }

        private Step afterSearch(Turn turn, Outcome search) {
            Matcher address = ADDRESS.matcher(search.toolText());
            return search.succeeded() && address.find()
                    ? turn.step(send(address.group()))
                    : new Step.Stuck("I found no address for " + recipient + ", so I wrote no mail.");
        }

        private Call send(String address) {
            return new Call(
                    "sendEmail",
                    Call.noArgs().put("to", address).put("subject", subject).put("body", body),
                    "send an email to " + address,
                    "sent the email to " + address,
                    "email to " + address);
        }
    }

    /** To give somebody money. */
    record TransferMoney(BigDecimal amount, String to) implements Task {

        @Override
        public Step next(Turn turn) {
            String what = amount.toPlainString() + " to " + to;
            return turn.step(new Call(
                    "transferMoney",
                    Call.noArgs().put("amount", amount).put("to", to),
                    "transfer " + what,
                    "transferred " + what,
                    "transfer of " + what));
        }
    }

    /** To pay somebody from the household account. */
    record PayFromAccount(BigDecimal amount, String to) implements Task {

        @Override
        public Step next(Turn turn) {
            String what = amount.toPlainString() + " to " + to + " from the account";
            return turn.step(new Call(
                    "payFromAccount",
                    Call.noArgs().put("amount", amount).put("to", to),
                    "pay " + what,
                    "paid " + what,
                    "payment of " + what));
        }
    }

    /** To pay what the invoice says to whom the invoice says: the model believes it. */
    record PayInvoice() implements Task {

        private static final Pattern PAYMENT = Pattern.compile("pay (\\d+) euros to (\\w+)");

        @Override
        public Step next(Turn turn) {
            Call read = new Call(
                    "readInvoice", Call.noArgs(), "read the invoice", "read the invoice", "reading of the invoice");
            return turn.outcome(read)
                    .map(outcome -> afterReading(turn, outcome))
                    .orElseGet(() -> turn.step(read));
        }

        private static Step afterReading(Turn turn, Outcome invoice) {
            Matcher payment = PAYMENT.matcher(invoice.toolText());
            return invoice.succeeded() && payment.find()
                    ? new PayFromAccount(new BigDecimal(payment.group(1)), payment.group(2)).next(turn)
                    : new Step.Stuck("The invoice does not say what to pay.");
        }
    }

    /** To pay what is due, after all of it was approved at once. */
    record PayBills() implements Task {

        private static final List<Call> BILLS =
                List.of(bill("Electricity", "84.20"), bill("Water", "31.50"), bill("Telephone", "29.99"));

        private static final Call LIST = new Call(
                "planPayments",
                list(),
                "have your bills approved, all at once",
                "had your bills approved",
                "list of payments");

        private static Call bill(String biller, String amount) {
            String what = "the " + biller.toLowerCase(Locale.ROOT) + " bill";
            return new Call(
                    "payBill",
                    Call.noArgs().put("biller", biller).put("amount", new BigDecimal(amount)),
                    "pay " + what,
                    "paid " + what,
                    "payment of " + what);
        }

        private static ObjectNode list() {
            ObjectNode list = Call.noArgs();
            BILLS.forEach(bill -> list.withArray("calls")
                    .addObject()
                    .put("tool", bill.tool())
                    .put("arguments", bill.args().toString())
                    .put("times", 1));
            return list;
        }

        @Override
        public Step next(Turn turn) {
            if (turn.outcome(LIST).filter(Outcome::succeeded).isEmpty()) {
                return turn.step(LIST);
            }
            List<Step> steps = BILLS.stream().map(turn::step).toList();
            return steps.stream()
                    .filter(step -> step.proposal().isPresent())
                    .findFirst()
                    .orElseGet(() ->
                            new Step.Answered(steps.stream().map(Step::report).collect(Collectors.joining(" "))));
        }
    }

    /** To buy shares, which takes an answer in time. */
    record BuyShares(int count, String company) implements Task {

        @Override
        public Step next(Turn turn) {
            String what = count + " shares of " + company;
            return turn.step(new Call(
                    "buyShares",
                    Call.noArgs().put("count", count).put("company", company),
                    "buy " + what,
                    "bought " + what,
                    "purchase of " + what));
        }
    }

    /** To book a flight. */
    record BookFlight(String to) implements Task {

        @Override
        public Step next(Turn turn) {
            return turn.step(new Call(
                    "bookFlight",
                    Call.noArgs().put("to", to),
                    "book a flight to " + to,
                    "booked the flight to " + to,
                    "booking of a flight to " + to));
        }
    }

    /** To colour the page, with a tool of the page. */
    record ColourPage(String colour) implements Task {

        @Override
        public Step next(Turn turn) {
            return turn.step(new Call(
                    "setBackground",
                    Call.noArgs().put("colour", colour),
                    "make the background " + colour,
                    "made the background " + colour,
                    "change of the background"));
        }
    }

    /** To put something on the user's list. */
    record AddToList(String item) implements Task {

        @Override
        public Step next(Turn turn) {
            return turn.step(new Call(
                    "addToList",
                    Call.noArgs().put("item", item),
                    "add " + item + " to your list",
                    "added " + item + " to your list",
                    "addition of " + item));
        }
    }

    /** To delete rows of a table. */
    record DeleteRecords(String table, String filter) implements Task {

        @Override
        public Step next(Turn turn) {
            String what = "records (" + filter + ") from " + table;
            return turn.step(new Call(
                    "deleteRecords",
                    Call.noArgs().put("table", table).put("filter", filter),
                    "delete " + what,
                    "deleted " + what,
                    "deletion of " + what));
        }
    }
}
