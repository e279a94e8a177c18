package io.holdpoint.internal.turn;

import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.internal.question.ToolApproval;
import io.holdpoint.store.Call;
import io.holdpoint.store.TurnRecord;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a person has declined in a turn: the same is not asked again, and too much of it ends the turn. */
final class Declined {

    private Declined() {}

    /** The turn after a settled batch. */
    static TurnRecord in(TurnRecord turn, List<Call> calls) {
        Set<String> declined = new LinkedHashSet<>(turn.declined());
        int inARow = turn.declinedInARow();
        for (Call call : calls) {
            boolean repeated = call.attempts().isEmpty() && turn.declined().contains(TurnRecord.key(call));
            if (ToolApproval.declined(call) || repeated) {
                declined.add(TurnRecord.key(call));
                inARow++;
            } else if (ToolApproval.asked(call).isPresent()) {
                inARow = 0;
            }
        }
        return turn.withDeclined(List.copyOf(declined), inARow);
    }

    /** Whether a method can return a text that the model has not written. */
    static boolean mayEndWithText(Method method) {
        Type type = method.getGenericReturnType();
        return type == TokenStream.class
                || type == String.class
                || (type instanceof ParameterizedType result
                        && result.getRawType() == Result.class
                        && result.getActualTypeArguments()[0] == String.class);
    }
}
