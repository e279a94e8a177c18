package io.holdpoint.agents;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.testing.OfficeTools;

/** A tool of the application, beside a model that is an agent. */
public record Rooms(OfficeTools office) {

    @Tool
    @RequiresApproval
    public String bookRoom(String room) {
        office.effects().add("bookRoom " + room);
        return "booked " + room;
    }
}
