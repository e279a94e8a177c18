package io.holdpoint.bench;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;

/** Tools that do nothing, so that what is around them is measured. */
final class BenchTools {

    private BenchTools() {}

    static final class Free {

        static final String ARGUMENTS = "{\"query\":\"Ada\"}";

        @Tool("Search contacts")
        public String searchContacts(@P("name") String query) {
            return "ada@example.com";
        }
    }

    static final class Gated {

        static final String ARGUMENTS = "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}";

        @Tool("Send an email")
        @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
        public String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
            return "sent";
        }
    }

    /** The same as the gated one, for a plain AI Service. */
    static final class Ungated {

        @Tool("Send an email")
        public String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
            return "sent";
        }
    }
}
