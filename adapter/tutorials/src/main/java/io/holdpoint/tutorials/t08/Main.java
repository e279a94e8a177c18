package io.holdpoint.tutorials.t08;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.follow.Follow;
import io.holdpoint.test.ScriptedModel;
import java.io.PrintStream;

/** Tutorial 8: four eyes, roles, and the inbox of those who approve. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Payroll(PrintStream out) {

        // readme
        @Tool("Raise a salary")
        @RequiresApproval(message = "Raise the salary of {{employee}} by {{percent}} percent?")
        String raise(String employee, int percent, ToolCallContext call) {
            out.println("  (raise runs: " + employee + ", " + percent + ", approved by "
                    + call.approverId().orElseThrow() + ")");
            return "raised";
        }
        // end
    }

    public static void main(String[] args) {
        run(System.out);
    }

    public static void run(PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("call_1", "raise", "{\"employee\":\"Ada\",\"percent\":5}"))
                .answers(request -> AiMessage.from("The salary is raised."));
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Payroll(out))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("manager")))
                .build();
        Holdpoint ada = agent.as(Caller.of("ada", "manager"));
        Holdpoint grace = agent.as(Caller.of("grace", "manager"));
        Holdpoint eve = agent.as(Caller.of("eve"));
        // end

        // readme
        PendingInterrupt.Approval own =
                ada.send("thread-1", "Raise my salary by 5 percent").approval();
        out.println("Ada approves her own:  " + outcome(ada.resume("thread-1", own.approve())));
        out.println("Eve, who has no role:  " + outcome(eve.resume("thread-1", own.approve())));
        out.println("Eve's inbox:           " + Follow.of(eve).inbox().items().size() + " questions");

        for (AskedQuestion item : Follow.of(grace).inbox().items()) {
            out.println("Grace's inbox:         " + item.owner() + ": "
                    + item.interrupt().message());
            RunResult result =
                    grace.resume(item.threadId(), item.interrupt().asApproval().approve());
            out.println("Agent:                 " + outcome(result));
        }
        // end
    }

    private static String outcome(RunResult result) {
        return result.failure().map(failed -> failed.code().toString()).orElse(result.text());
    }
}
