package io.holdpoint.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The application does not say which of its AI Services are agents, or lacks what they need. */
final class AgentChoiceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    AgentChoiceException(String problem, String remedy) {
        super(problem + " " + remedy);
        this.remedy = remedy;
    }

    /** Shows the remedy in place of a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<AgentChoiceException> {

        @Override
        protected FailureAnalysis analyze(Throwable root, AgentChoiceException cause) {
            String message = String.valueOf(cause.getMessage());
            return new FailureAnalysis(
                    message.substring(0, message.length() - cause.remedy.length())
                            .strip(),
                    cause.remedy,
                    cause);
        }
    }
}
