package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

final class AskedLess {

    private AskedLess() {}

    static final class Newsletter {

        final List<String> sent = new CopyOnWriteArrayList<>();

        // readme
        @Tool("Send the newsletter to a subscriber")
        @RequiresApproval(
                remember = {Grant.Scope.SAME_CALL, Grant.Scope.TOOL},
                rememberFor = "PT30M")
        String send(@P("address") String to) {
            sent.add(to);
            return "sent to " + to;
        }
        // end
    }

    static ToolPolicy policy() {
        // readme
        ToolPolicy writing = ToolPolicy.named("write_file").remember(Duration.ofMinutes(5), Grant.Scope.TOOL);
        // end
        return writing;
    }

    static List<Grant> use(Holdpoint agent) {
        // readme
        agent.send("thread-1", "Send the newsletter to Ada");
        agent.resume(
                "thread-1", agent.pending("thread-1").get(0).asApproval().approveAndRemember(Grant.Scope.TOOL, 10));
        agent.send("thread-1", "And to Bob"); // without a question, for ten minutes

        List<Grant> grants = agent.grants("thread-1");
        agent.revoke("thread-1", grants.get(0).id()); // from now on, somebody is asked again
        // end
        return grants;
    }
}
