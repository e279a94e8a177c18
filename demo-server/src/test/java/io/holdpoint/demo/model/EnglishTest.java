package io.holdpoint.demo.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.demo.model.QuestionTask.AskUser;
import io.holdpoint.demo.model.QuestionTask.Confirm;
import io.holdpoint.demo.model.QuestionTask.FileTaxes;
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
import io.holdpoint.demo.model.Task.WriteMail;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnglishTest {

    @Test
    void readsDeletionsWithAStatusAConditionOrNothing() {
        assertThat(English.tasks("Delete the inactive records from customers"))
                .containsExactly(new DeleteRecords("customers", "status = inactive"));
        assertThat(English.tasks("remove rows from the invoices table where number = 2026-001"))
                .containsExactly(new DeleteRecords("invoices", "number = 2026-001"));
        assertThat(English.tasks("Delete everything from sessions"))
                .containsExactly(new DeleteRecords("sessions", "all"));
    }

    @Test
    void readsTransfersToSeveralPeople() {
        assertThat(English.tasks("please transfer 1,000.50 euros to Carol and Bob for lunch."))
                .containsExactly(
                        new TransferMoney(new BigDecimal("1000.50"), "Carol"),
                        new TransferMoney(new BigDecimal("1000.50"), "Bob"));
    }

    @Test
    void readsTheWishForAnotherBackground() {
        assertThat(English.tasks("Make the background Lavender, please")).containsExactly(new ColourPage("lavender"));
        assertThat(English.tasks("change background to beige")).containsExactly(new ColourPage("beige"));
    }

    @Test
    void readsTheWishForAFlight() {
        assertThat(English.tasks("Please book me a flight to Rome.")).containsExactly(new BookFlight("Rome"));
        assertThat(English.tasks("Book a flight to Lisbon and transfer 5 to Bob"))
                .containsExactly(new BookFlight("Lisbon"), new TransferMoney(new BigDecimal(5), "Bob"));
    }

    @Test
    void readsTheWishToPayWhatIsDue() {
        for (String wish : List.of("Pay my bills", "Please pay all of the bills.", "pay bills")) {
            assertThat(English.tasks(wish)).as(wish).containsExactly(new PayBills());
        }
        assertThat(English.tasks("Pay 5 to Bills")).containsExactly(new TransferMoney(new BigDecimal(5), "Bills"));
    }

    @Test
    void readsTheWishForShares() {
        assertThat(English.tasks("Please buy 10 shares of Acme.")).containsExactly(new BuyShares(10, "Acme"));
    }

    @Test
    void readsWhatIsToBeOnTheList() {
        assertThat(English.tasks("Please add oat milk to my list and put eggs on the list"))
                .containsExactly(new AddToList("oat milk"), new AddToList("eggs"));
    }

    @Test
    void readsWhatIsPaidFromTheAccount() {
        assertThat(English.tasks("Pay 120 to Carol from the account and pay 5 to Bob"))
                .containsExactly(
                        new PayFromAccount(new BigDecimal("120"), "Carol"),
                        new TransferMoney(new BigDecimal("5"), "Bob"));
        assertThat(English.tasks("Please pay the invoice.")).containsExactly(new PayInvoice());
    }

    @Test
    void readsTheQuestionForAnAddress() {
        assertThat(English.tasks("What is Carol's email address?")).containsExactly(new FindContact("Carol"));
        assertThat(English.tasks("Think, then look up Carol")).containsExactly(new FindContact("Carol"));
        assertThat(English.tasks("look up Ada Lovelace")).containsExactly(new FindContact("Ada Lovelace"));
    }

    @Test
    void draftsALetterFromATopicAndAMessage() {
        assertThat(English.tasks("Send an email to Ada about the budget saying that it is approved"))
                .containsExactly(new WriteMail("Ada", "The budget", "Hello Ada,\n\nIt is approved.\n"));
    }

    @Test
    void doesNotTakeAVerbInsideAMessageForATask() {
        assertThat(English.tasks("Write to Ada that I will transfer 50 to Bob"))
                .singleElement()
                .isInstanceOf(WriteMail.class);
    }

    @Test
    void readsWhatToAskAndAnswersToChooseFrom() {
        assertThat(English.tasks("Ask me which report to send: sales, costs or staff"))
                .containsExactly(new AskUser("Which report to send?", List.of("sales", "costs", "staff")));
        assertThat(English.tasks("please ask me what to write."))
                .containsExactly(new AskUser("What to write?", List.of()));
    }

    @Test
    void readsWhatToConfirm() {
        assertThat(English.tasks("Ask me to confirm that the order is complete"))
                .containsExactly(new Confirm("The order is complete?"));
        assertThat(English.tasks("Ask me whether to go on")).containsExactly(new Confirm("To go on?"));
        assertThat(English.tasks("Ask me to confirm")).containsExactly(new Confirm("Shall I go on?"));
    }

    @Test
    void readsWhatToFile() {
        assertThat(English.tasks("File my taxes")).containsExactly(new FileTaxes("taxes"));
        assertThat(English.tasks("File the VAT return.")).containsExactly(new FileTaxes("VAT return"));
    }

    @Test
    void readsQuestionsNextToOtherTasks() {
        assertThat(English.tasks("Ask me to confirm the order, then transfer 20 to Carol and file the VAT return"))
                .containsExactly(
                        new Confirm("The order?"),
                        new TransferMoney(new BigDecimal("20"), "Carol"),
                        new FileTaxes("VAT return"));
    }

    @Test
    void understandsNothingElse() {
        assertThat(English.tasks("Write a poem about the sea")).isEmpty();
        assertThat(English.tasks("")).isEmpty();
    }
}
