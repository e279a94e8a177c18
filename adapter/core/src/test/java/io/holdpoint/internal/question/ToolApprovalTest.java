package io.holdpoint.internal.question;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.RecordJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The validator of schemas, which is large, is asked about an answer only if there is something to check. */
class ToolApprovalTest {

    private static final String PLAIN =
            "{'type':'object','properties':{'approved':{'type':'boolean'},'reason':{'type':'string'}},'required':['approved']}";

    private final List<ObjectNode> checked = new ArrayList<>();

    private List<String> violations(String schema, String answer) {
        Interrupt interrupt = new Interrupt("i", "tool_call", null, null, json(schema), null, null);
        Question question = new Question(Question.Kind.APPROVAL, interrupt, Instant.EPOCH, null, List.of());
        return ToolApproval.KIND.violations(question, Optional.of(json(answer)), (form, value) -> {
            checked.add(form);
            return List.of();
        });
    }

    private static ObjectNode json(String text) {
        return RecordJson.read(text.replace('\'', '"'), ObjectNode.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void yesAndNoAloneNeedNoValidator(boolean approved) {
        assertThat(violations(PLAIN, "{'approved':" + approved + "}")).isEmpty();

        assertThat(checked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'approved':'true'}",
                "{'approved':null}",
                "{'approved':true,'reason':'fine'}",
                "{'reason':'fine'}",
                "{}"
            })
    void anythingElseIsChecked(String answer) {
        violations(PLAIN, answer);

        assertThat(checked).containsExactly(json(PLAIN));
    }

    @Test
    void aFormThatAsksForMoreIsChecked() {
        for (String more : List.of(
                PLAIN.replace("['approved']", "['approved','confirm']"),
                PLAIN.replace("'boolean'", "'string'"),
                PLAIN.replace("{'type':'object'", "{'type':'object','minProperties':2"),
                PLAIN.replace("'type':'object'", "'type':'array'"))) {
            violations(more, "{'approved':true}");
        }

        assertThat(checked).hasSize(4);
        assertThat(AguiCodec.write(checked.get(0))).contains("confirm");
    }
}
