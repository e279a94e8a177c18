package io.holdpoint.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.GatedTool.ToolPolicies;
import io.holdpoint.internal.gate.Policy.AnswerOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an answer must look like, for every kind of parameter. */
class ToolSchemasTest {

    private static ObjectNode approval(ToolSpecification tool, boolean editable) {
        Set<String> names = tool.parameters() == null
                ? Set.of()
                : tool.parameters().properties().keySet();
        Optional<Set<String>> edits = editable ? Optional.of(names) : Optional.empty();
        return ToolSchemas.approval(tool, MethodArguments.NONE, new AnswerOptions(edits, false, false));
    }

    enum Priority {
        LOW,
        HIGH
    }

    record Person(String name, int age) {}

    record Tree(String label, List<Tree> children) {}

    /** One tool for each kind of parameter. */
    static final class Tools {
        @Tool
        void nested(Person person) {}

        @Tool
        void many(List<Person> people) {}

        @Tool
        void choice(Priority priority) {}

        @Tool
        void optional(String must, @P(value = "may", required = false) String may) {}

        @Tool
        void maybe(Optional<String> text) {}

        @Tool
        void any(Map<String, Object> values) {}

        @Tool
        void recursive(Tree tree) {}

        @Tool
        void note(@P(value = "text", defaultValue = "none") String text) {}

        @Tool
        void nothing() {}
    }

    private static ToolSpecification tool(String name) {
        return ToolSpecifications.toolSpecificationsFrom(new Tools()).stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nested   | {\"person\":{\"name\":\"Ada\",\"age\":36}}            | true",
                "nested   | {\"person\":{\"name\":\"Ada\",\"age\":\"old\"}}       | false",
                "nested   | {\"person\":{\"name\":\"Ada\",\"more\":1}}            | false",
                "nested   | {\"person\":\"Ada\"}                                  | false",
                "nested   | {}                                                    | false",
                "many     | {\"people\":[{\"name\":\"Ada\",\"age\":36}]}          | true",
                "many     | {\"people\":[]}                                       | true",
                "many     | {\"people\":[1]}                                      | false",
                "choice   | {\"priority\":\"LOW\"}                                | true",
                "choice   | {\"priority\":\"MIDDLE\"}                             | false",
                "optional | {\"must\":\"x\"}                                      | true",
                "optional | {\"must\":\"x\",\"may\":\"y\"}                        | true",
                "optional | {\"may\":\"y\"}                                       | false",
                "optional | {\"must\":\"x\",\"other\":\"y\"}                      | false",
                "maybe    | {\"text\":\"x\"}                                      | true",
                "maybe    | {}                                                    | true",
                "maybe    | {\"text\":1}                                          | false",
                "any      | {\"values\":{\"x\":1,\"y\":[\"z\"]}}                  | true",
                "recursive | {\"tree\":{\"label\":\"a\",\"children\":[{\"label\":\"b\",\"children\":[{\"label\":\"c\"}]}]}} | true",
                "recursive | {\"tree\":{\"label\":\"a\",\"children\":[{\"label\":1}]}} | false",
                "nothing  | {}                                                    | true",
                "nothing  | {\"x\":1}                                             | false",
            })
    void editedArgumentsMustBeTheToolsOwn(String name, String edited, boolean accepted) throws Exception {
        ObjectNode payload = AguiCodec.mapper().createObjectNode().put("approved", true);
        payload.set("editedArgs", AguiCodec.mapper().readTree(edited));

        List<String> violations = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(approval(tool(name), true))
                .validate(payload)
                .stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .toList();

        assertThat(violations.isEmpty()).as("%s", violations).isEqualTo(accepted);
    }

    @Test
    void aToolThatShallNotBeEditedHasNoEditedArgs() {
        assertThat(approval(tool("nested"), false).path("properties").has("editedArgs"))
                .isFalse();
    }

    @Test
    void referencesAreInlined() {
        for (String name : List.of("nested", "many", "choice", "optional", "maybe", "any", "recursive", "nothing")) {
            JsonNode schema = approval(tool(name), true);

            assertThat(schema.toString()).as(name).doesNotContain("$ref").doesNotContain("$defs");
        }
    }

    private static ObjectNode edits(ObjectNode arguments) {
        return ApprovalForm.withEdits(ApprovalForm.approval(), arguments);
    }

    @Test
    void aParameterThatMayBeLeftOutCarriesItsDefaultAndChangesTheTool() throws NoSuchMethodException {
        ToolSpecification tool = tool("note");
        Set<String> all = Set.of("text");
        MethodArguments arguments = MethodArguments.of(
                new ToolMethod(Tools.class, Tools.class.getDeclaredMethod("note", String.class)), tool);

        ObjectNode schema = ToolSchemas.approval(tool, arguments, new AnswerOptions(Optional.of(all), false, false));

        JsonNode parameters = schema.path("properties").path("editedArgs").path("properties");
        assertThat(parameters.path("text").path("default").asText()).isEqualTo("none");
        ApprovalForm form = new ApprovalForm(schema, object().put("text", "y"), Optional.empty());
        assertThat(form.wouldRun(edits(object()))).isEqualTo(object().put("text", "none"));
        assertThat(form.wouldRun(edits(object().put("text", "x"))).path("text").asText())
                .isEqualTo("x");
        assertThat(sha256(tool, arguments)).isNotEqualTo(sha256(tool, MethodArguments.NONE));
    }

    private static String sha256(ToolSpecification tool, MethodArguments arguments) {
        ToolPolicies none = new ToolPolicies(tool, arguments, List.of(), List.of(), Optional.empty());
        return GatedTool.of(none, Optional.empty(), false, false).sha256();
    }

    private static ObjectNode object() {
        return AguiCodec.mapper().createObjectNode();
    }
}
