package io.holdpoint.demo.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptReactionTest {

    private static final List<ToolSpecification> TOOLS = Stream.of(
                    "sendEmail", "transferMoney", "askUser", "confirm", "requestFilingDetails")
            .map(name -> ToolSpecification.builder().name(name).build())
            .toList();

    @Test
    void saysThatADeniedCallWasLeft() {
        assertThat(reaction("Transfer 50 to Bob", error("This call was not executed: the user declined it.")))
                .isEqualTo("The transfer of 50 to Bob was declined, so I left it.");
    }

    @Test
    void saysThatNobodyAnswered() {
        assertThat(reaction("Transfer 50 to Bob", error("not executed: nobody answered in time")))
                .isEqualTo("Nobody answered about the transfer of 50 to Bob, so I left it.");
    }

    @Test
    void tellsAFailureFromADenial() {
        assertThat(reaction("Transfer 50 to Bob", error("The account is closed")))
                .isEqualTo("The transfer of 50 to Bob failed: \u201cThe account is closed\u201d");
    }

    @Test
    void quotesTheReasonOfADenialAndNotTheAdviceAfterIt() {
        ToolExecutionResultMessage.Builder denied =
                error("The call of \"transferMoney\" was not executed. A person declined this call. Their reason:"
                        + " \"paid \\\"twice\\\"\" Do not repeat this call unless the user asks for it.");

        assertThat(reaction("Transfer 50 to Bob", denied))
                .isEqualTo("The transfer of 50 to Bob was declined (\"paid \\\"twice\\\"\"), so I left it.");
    }

    @Test
    void readsAnEditNoticeInTheSameText() {
        ToolExecutionResultMessage.Builder edited = ToolExecutionResultMessage.builder()
                .text("Note: a person edited the arguments. \"transferMoney\" was executed with these"
                        + " arguments instead of the proposed ones: {\"amount\":5,\"to\":\"Bob\"}\n\nTransferred 5")
                .isError(false);

        assertThat(reaction("Transfer 50 to Bob", edited))
                .isEqualTo("Done, with your change: \u201cTransferred 5\u201d");
    }

    @Test
    void mentionsAnEditAndQuotesTheToolOnly() {
        ToolExecutionResultMessage.Builder edited = ToolExecutionResultMessage.builder()
                .contents(
                        TextContent.from("Note: executed with edited arguments: {\"amount\":5,\"to\":\"Bob\"}"),
                        TextContent.from("Transferred 5"))
                .isError(false);

        assertThat(reaction("Transfer 50 to Bob", edited))
                .isEqualTo("Done, with your change: \u201cTransferred 5\u201d");
    }

    @Test
    void tellsWhatAPersonSuppliedFromWhatTheToolDid() {
        ToolExecutionResultMessage.Builder supplied = ToolExecutionResultMessage.builder()
                .text(
                        "Note: \"transferMoney\" was not executed. A person answered in its place; what follows was supplied"
                                + " by that person.\n\nPaid in cash");

        assertThat(reaction("Transfer 50 to Bob", supplied))
                .isEqualTo("The transfer of 50 to Bob was answered by a person instead: \u201cPaid in cash\u201d");
    }

    @Test
    void reportsAMixedBatchInItsOrder() {
        assertThat(reaction(
                        "Email ada@example.com saying hi, then transfer 50 to Bob",
                        ToolExecutionResultMessage.builder().text("Sent.").isError(false),
                        error("was not executed, the person declined")))
                .isEqualTo("I sent the email to ada@example.com: \u201cSent.\u201d "
                        + "The transfer of 50 to Bob was declined, so I left it.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Ask me what to write|{\"answer\":\"A poem\"}|You answered: \u201cA poem\u201d.",
                "Ask me what to write|{\"answer\":\"\"}|You left the answer empty.",
                "Ask me to confirm|true|You said yes.",
                "Ask me to confirm|false|You said no, so I left it.",
                "File the VAT return|{\"quarter\":\"Q3\",\"year\":2026,\"revenue\":0.50}|I have what the VAT return needs: Q3 2026, revenue 0.50. This is a demo, so I file nothing.",
                "Ask me to confirm|perhaps|I asked you: \u201cperhaps\u201d"
            })
    void saysWhatTheUserAnswered(String request, String answer, String reaction) {
        assertThat(reaction(
                        request,
                        ToolExecutionResultMessage.builder().text(answer).isError(false)))
                .isEqualTo(reaction);
    }

    @Test
    void saysThatNobodyAnsweredAQuestion() {
        assertThat(
                        reaction(
                                "File the VAT return",
                                error(
                                        "The call of \"requestFilingDetails\" was not executed. The user was asked and gave no answer.")))
                .isEqualTo("Nobody answered about the question, so I left it.");
    }

    @Test
    void keepsEveryDigitOfAnAmount() {
        AiMessage proposal = answer(List.of(UserMessage.from("Transfer 12345678901234567.80 to Bob")));

        assertThat(proposal.toolExecutionRequests().get(0).arguments())
                .isEqualTo("{\"amount\":12345678901234567.80,\"to\":\"Bob\"}");
    }

    private static ToolExecutionResultMessage.Builder error(String text) {
        return ToolExecutionResultMessage.builder().text(text).isError(true);
    }

    private static String reaction(String request, ToolExecutionResultMessage.Builder... results) {
        List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from(request)));
        AiMessage proposal = answer(messages);
        messages.add(proposal);
        for (int i = 0; i < results.length; i++) {
            ToolExecutionRequest call = proposal.toolExecutionRequests().get(i);
            messages.add(results[i].id(call.id()).toolName(call.name()).build());
        }
        AiMessage reaction = answer(messages);
        assertThat(reaction.hasToolExecutionRequests()).isFalse();
        return reaction.text();
    }

    private static AiMessage answer(List<ChatMessage> messages) {
        return Script.answer(ChatRequest.builder()
                .messages(messages)
                .toolSpecifications(TOOLS)
                .build());
    }
}
