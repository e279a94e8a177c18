package io.holdpoint.kotlin;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.test.ScriptedModel;
import java.util.function.Supplier;

/** An agent without any Kotlin: gives the arguments of its question. */
public final class JavaTools implements Supplier<String> {

    interface Assistant {
        String chat(String text);
    }

    @Tool
    @RequiresApproval
    public String mail(String to) {
        return "sent";
    }

    @Override
    public String get() {
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent =
                Holdpoint.builder(Assistant.class).chatModel(model).tools(this).build();
        model.calls(ScriptedModel.call("c", "mail", "{\"to\":\"ada\"}"));
        return agent.send("t", "Go").approval().arguments().toString();
    }
}
