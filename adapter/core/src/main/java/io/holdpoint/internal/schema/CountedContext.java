package io.holdpoint.internal.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import java.util.Locale;

/** One validation, of which every keyword that is looked at and every error counts. */
final class CountedContext extends ExecutionContext {

    /** In characters of a regular expression, roughly: so that a step is always about the same work. */
    private static final int STEPS_PER_KEYWORD = 20;

    private static final int STEPS_PER_ERROR = 1_000;

    private final Effort effort;

    CountedContext(Effort effort) {
        super(ExecutionConfig.builder()
                .locale(Locale.ENGLISH)
                .formatAssertionsEnabled(false)
                .build());
        this.effort = effort;
    }

    @Override
    public void evaluationPathAddLast(String keyword) {
        effort.steps(STEPS_PER_KEYWORD);
        super.evaluationPathAddLast(keyword);
    }

    @Override
    public void addError(Error error) {
        effort.steps(STEPS_PER_ERROR);
        super.addError(error);
    }
}
