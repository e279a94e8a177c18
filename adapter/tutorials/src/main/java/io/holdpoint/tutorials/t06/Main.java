package io.holdpoint.tutorials.t06;

import static io.holdpoint.test.ScriptedModel.call;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.stdio.StdioMcpTransport;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;
import java.math.BigDecimal;

/** Tutorial 6: conditions, policies, and the tools of an MCP server. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Shop(PrintStream out) {

        // readme
        @Tool("Refund an order")
        @RequiresApproval(message = "Refund {{amount}} euros?", when = LargeRefund.class)
        String refund(BigDecimal amount) {
            out.println("  (refund runs: " + amount + ")");
            return "refunded " + amount;
        }
        // end
    }

    // readme
    static final class LargeRefund implements ApprovalCondition {

        @Override
        public ApprovalVerdict evaluate(ProposedCall call) {
            BigDecimal amount = call.argument("amount", BigDecimal.class).orElseThrow();
            if (amount.signum() <= 0) {
                return ApprovalVerdict.deny("A refund has a positive amount.");
            }
            return ApprovalVerdict.requireApprovalIf(amount.compareTo(new BigDecimal(50)) > 0);
        }
    }
    // end

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    public static void run(PrintStream out) throws Exception {
        // readme
        McpClient notes = DefaultMcpClient.builder()
                .transport(StdioMcpTransport.builder()
                        .command(NotesServer.command())
                        .build())
                .build();
        // end
        ScriptedModel model = new ScriptedModel();
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Shop(out))
                .toolProviders(McpToolProvider.builder().mcpClients(notes).build())
                .toolPolicies(ToolPolicy.where(tool -> !tool.name().equals("refund")
                                && !Boolean.TRUE.equals(tool.metadata().get("readOnlyHint")))
                        .message("Change the note {{title}}?"))
                .build();
        // end
        try {
            propose(agent, model, "refund", "{\"amount\":20}", out);
            propose(agent, model, "refund", "{\"amount\":-20}", out);
            propose(agent, model, "refund", "{\"amount\":200}", out);
            propose(agent, model, "read_note", "{\"title\":\"Shopping\"}", out);
            propose(agent, model, "delete_note", "{\"title\":\"Shopping\"}", out);
        } finally {
            notes.close();
        }
    }

    /** Lets the model propose one call, on a thread of its own, and approves it if somebody is asked. */
    private static void propose(Holdpoint agent, ScriptedModel model, String tool, String arguments, PrintStream out) {
        out.println("Proposed: " + tool + " " + arguments);
        model.calls(call("call_1", tool, arguments)).answers(request -> AiMessage.from(model.lastResult("call_1")));
        String thread = tool + arguments.hashCode();
        RunResult result = agent.send(thread, "Go on");
        for (PendingInterrupt.Approval question : result.approvals()) {
            out.println("  Held: " + question.message());
            result = agent.resume(thread, question.approve());
        }
        out.println("  Model was told: " + result.orThrow().text());
    }
}
