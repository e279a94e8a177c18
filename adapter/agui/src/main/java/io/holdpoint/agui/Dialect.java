package io.holdpoint.agui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The forms of AG-UI in which a stream can be written: {@link #of} finds that of a client. Inputs are read in all of them,
 * always. Immutable, so thread-safe.
 */
public enum Dialect {

    /** AG-UI 1.0, as {@link AguiCodec#writeEventBytes} writes it. */
    V1_0 {
        @Override
        Object form(Event event) {
            return event;
        }
    },

    /**
     * For clients that name no protocol version, which are from before 1.0, such as {@code @ag-ui/client} 0.0.59: they fail a run
     * at what they do not know, and lock up on an interrupt that has expired. As 1.0, but {@code RUN_FINISHED} has no
     * {@code outcome} where 1.0 has a list of {@code pendingToolCallIds} or {@code cancelled}, and no interrupt has an
     * {@code expiresAt}. An answer after that time is refused all the same. The metadata of interrupts has
     * {@code tanstack:interruptBinding}, without which TanStack AI lets nobody answer.
     */
    BEFORE_1_0 {
        @Override
        Object form(Event event) {
            return event instanceof RunEvent.Finished finished ? withoutNews(finished) : event;
        }
    },

    /**
     * The proposal that came before it, for clients that know no other form. {@code RUN_STARTED} names no protocol version, and
     * {@code RUN_FINISHED} says why the run ended like this; all else is as in 1.0:
     *
     * <ul>
     *   <li>{@code "outcome":"success"}, with the {@code result} if there is one
     *   <li>{@code "outcome":"interrupt","interrupt":{"id":…,"reason":…,"payload":{…}}}. The payload has the
     *       {@code message}, {@code toolCallId}, {@code responseSchema}, {@code expiresAt} and {@code metadata} of the 1.0
     *       interrupt, and for a tool call its {@code proposal}: {@code {"tool":…,"args":{…}}}, and the same as
     *       {@code functionName} and {@code functionArguments}, as the .NET client reads it
     *   <li>of several interrupts, which the proposal does not know:
     *       {@code "outcome":"interrupt","interrupt":{"payload":{"interrupts":[{"id":…,"reason":…,"payload":{…}},…]}}}
     *   <li>no outcome for a run that was stopped: the proposal has none for it
     * </ul>
     *
     * <p>The answer is {@code "resume":{"interruptId":…,"payload":…}}; without a payload it cancels the interrupt. Several
     * are answered together, without an {@code interruptId}: {@code "resume":{"payload":{"<id>":…,"<id>":…}}}, with
     * {@code null} for one that is cancelled. An approval may change arguments in the words of the proposal:
     * {@code "modifications":{…}} has those that change, {@code "functionArguments":{…}} has all.
     */
    INTERRUPTS_DRAFT {
        @Override
        Object form(Event event) {
            if (event instanceof RunEvent.Started started) {
                return draft(started);
            }
            return event instanceof RunEvent.Finished finished ? draft(finished) : event;
        }
    };

    /** The field of an interrupt's metadata, and of its answer's, that names the form in which the interrupt was read. */
    private static final String OURS = "holdpoint";

    /** Characters that are shown as nothing, or turn a line around, or end it. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    /** Writes an event as JSON text in UTF-8, without a line break. */
    public byte[] write(Event event) {
        return AguiCodec.write(AguiCodec.NOTHING, form(event), AguiCodec.NOTHING);
    }

    /** The event, or the JSON that stands for it in this form. */
    abstract Object form(Event event);

    /**
     * Writes an input for a server that speaks this form: without a protocol version unless this is {@link #V1_0}, and with
     * {@code resume} as the proposal has it if this is {@link #INTERRUPTS_DRAFT}. An answer that {@link ResumeEntry} makes for an
     * {@link Interrupt} which was read in the proposal's form is written in that form, whatever this is.
     */
    public String write(RunAgentInput input) {
        Dialect form = input.resume().stream().anyMatch(Dialect::isDraft) ? INTERRUPTS_DRAFT : this;
        RunAgentInput spoken = form.spokenIn(input);
        if (form != INTERRUPTS_DRAFT || spoken.resume().isEmpty()) {
            return AguiCodec.write(spoken);
        }
        ObjectNode json = (ObjectNode) AguiCodec.toTree(spoken);
        ObjectNode resume = json.putObject("resume");
        ResumeEntry first = spoken.resume().get(0);
        if (spoken.resume().size() > 1) {
            ObjectNode payloads = resume.putObject("payload");
            spoken.resume().forEach(entry -> payloads.set(entry.interruptId(), entry.payload()));
            return AguiCodec.write(json);
        }
        if (!first.interruptId().isEmpty()) {
            resume.put("interruptId", first.interruptId());
        }
        if (first.payload() != null) {
            resume.set("payload", first.payload());
        }
        return AguiCodec.write(json);
    }

    /** Finds the form for a client by the version that its input names: {@link #V1_0}, or {@link #BEFORE_1_0} without one. */
    public static Dialect of(@Nullable String protocolVersion) {
        return protocolVersion == null ? BEFORE_1_0 : V1_0;
    }

    /**
     * Makes an agent take a client for one of this form, whatever version its input names: the input has a version then if this
     * is {@link #V1_0}, and none otherwise.
     */
    public RunAgentInput spokenIn(RunAgentInput input) {
        boolean isRight = of(input.protocolVersion()) == V1_0 == (this == V1_0);
        return isRight ? input : input.withProtocolVersion(this == V1_0 ? Agui.PROTOCOL_VERSION : null);
    }

    /**
     * Tells whether an answer was read in the form of {@link #INTERRUPTS_DRAFT}, whose words its payload may have then, or is
     * to be written so: its metadata are {@link #draftMetadata()}.
     */
    public static boolean isDraft(ResumeEntry answer) {
        return answer.metadata() != null && draftMetadata().equals(answer.metadata());
    }

    /**
     * Puts an answer about a call that was read in the form of {@link #INTERRUPTS_DRAFT} into the words of 1.0: {@code modifications} are
     * the arguments that change, {@code functionArguments} are all arguments, and {@code functionName} is the tool's. An answer that says it
     * in two ways, or names another tool, stays as it is, and so does one in another form.
     *
     * @param isSame whether arguments are those that were shown: then nothing is edited
     */
    public static ResumeEntry answered(
            ResumeEntry answer, String toolName, ObjectNode shown, BiPredicate<JsonNode, JsonNode> isSame) {
        if (!isDraft(answer) || !(answer.payload() instanceof ObjectNode given)) {
            return answer;
        }
        ObjectNode own = given.deepCopy();
        JsonNode all = own.remove("functionArguments");
        JsonNode changes = own.remove("modifications");
        JsonNode name = own.remove("functionName");
        JsonNode edited = all != null ? all : changes;
        boolean isOneWay = edited == null || (!own.has("editedArgs") && (all == null || changes == null));
        if ((name != null && !name.asText().equals(toolName)) || !isOneWay || (edited != null && !edited.isObject())) {
            return ResumeEntry.resolved(answer.interruptId(), given);
        }
        if (edited != null) {
            JsonNode whole = all != null ? all : shown.deepCopy().setAll((ObjectNode) changes);
            if (!isSame.test(whole, shown)) {
                own.set("editedArgs", whole);
            }
        }
        return ResumeEntry.resolved(answer.interruptId(), own);
    }

    /**
     * Makes the metadata of an answer that was read in the form of {@link #INTERRUPTS_DRAFT}, or is to be written so. No client can
     * send them: they are left out of an answer in another form.
     *
     * @return {@code {"holdpoint":{"dialect":"interrupts_draft"}}}
     */
    public static ObjectNode draftMetadata() {
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        metadata.putObject(OURS).put("dialect", "interrupts_draft");
        return metadata;
    }

    /** The metadata of an answer to an interrupt, by which {@link #write} knows the form in which it was asked. */
    static @Nullable ObjectNode ofAnswerTo(Interrupt asked) {
        ObjectNode metadata = asked.metadata();
        boolean isDraft = metadata != null
                && metadata.has(OURS)
                && draftMetadata().get(OURS).equals(metadata.get(OURS));
        return isDraft ? draftMetadata() : null;
    }

    private static Object withoutNews(RunEvent.Finished finished) {
        if (finished.outcome() instanceof RunFinishedOutcome.Interrupted asked) {
            return new RunEvent.Finished(
                    finished.threadId(),
                    finished.runId(),
                    RunFinishedOutcome.interrupt(asked.interrupts().stream()
                            .map(interrupt -> withoutNews(interrupt, finished.runId()))
                            .toList()),
                    finished.result(),
                    finished.usage(),
                    finished.base());
        }
        return RunFinishedOutcome.success().equals(finished.outcome())
                ? finished
                : ((ObjectNode) AguiCodec.toTree(finished)).without("outcome");
    }

    private static Interrupt withoutNews(Interrupt asked, String runId) {
        return new Interrupt(
                asked.id(),
                asked.reason(),
                asked.message(),
                asked.toolCallId(),
                asked.responseSchema(),
                null,
                TanStackBinding.with(asked, runId));
    }

    private static ObjectNode draft(RunEvent.Started started) {
        ObjectNode event = (ObjectNode) AguiCodec.toTree(started);
        event.remove("protocolVersion");
        return event;
    }

    private static ObjectNode draft(RunEvent.Finished finished) {
        ObjectNode event = (ObjectNode) AguiCodec.toTree(finished);
        if (finished.outcome() instanceof RunFinishedOutcome.Interrupted interrupted) {
            event.put("outcome", "interrupt");
            event.set("interrupt", draft(interrupted.interrupts()));
        } else if (finished.outcome() instanceof RunFinishedOutcome.Success) {
            event.put("outcome", "success");
        } else {
            event.remove("outcome");
        }
        return event;
    }

    /** Several have no id together: they must be answered by the ids in the payload, and a plain approval answers none. */
    private static ObjectNode draft(List<Interrupt> interrupts) {
        if (interrupts.size() == 1) {
            return draft(interrupts.get(0));
        }
        ObjectNode all = AguiCodec.mapper().createObjectNode();
        ArrayNode each = all.putObject("payload").putArray("interrupts");
        interrupts.forEach(interrupt -> each.add(draft(interrupt)));
        return all;
    }

    private static ObjectNode draft(Interrupt interrupt) {
        ObjectNode payload = (ObjectNode) AguiCodec.toTree(interrupt);
        payload.remove(List.of("id", "reason"));
        JsonNode call = payload.at("/metadata/langchain4j");
        if (interrupt.toolCallId() != null && call.has("toolName")) {
            ObjectNode proposal = payload.putObject("proposal");
            proposal.set("tool", call.get("toolName"));
            proposal.set("args", call.path("args"));
            payload.set("functionName", call.get("toolName"));
            payload.set("functionArguments", call.path("args"));
        }
        ObjectNode asked = AguiCodec.mapper().createObjectNode();
        asked.put("id", interrupt.id()).put("reason", interrupt.reason()).set("payload", payload);
        return asked;
    }

    /**
     * Turns the outcome of a {@code RUN_FINISHED} of the proposal into that of 1.0; leaves any other as it is. A payload with a call
     * becomes an approval of that call. Any payload is taken: fields that 1.0 does not know, or not like this, are kept in the
     * interrupt's metadata, as {@code payload}.
     */
    static void upgrade(ObjectNode finished) {
        JsonNode outcome = finished.path("outcome");
        boolean isAbsent = outcome.isMissingNode() || outcome.isNull();
        if (finished.path("interrupt") instanceof ObjectNode interrupt
                && (isAbsent || "interrupt".equals(outcome.textValue()))) {
            ArrayNode interrupts =
                    finished.putObject("outcome").put("type", "interrupt").putArray("interrupts");
            if (interrupt.at("/payload/interrupts") instanceof ArrayNode several && !interrupt.has("id")) {
                several.forEach(each -> interrupts.add(upgraded(each)));
            } else {
                interrupts.add(upgraded(interrupt));
            }
        } else if (outcome.isTextual()) {
            finished.putObject("outcome").set("type", outcome);
        }
    }

    private static ObjectNode upgraded(JsonNode asked) {
        ObjectNode interrupt = AguiCodec.mapper().createObjectNode();
        interrupt.put("id", asked.path("id").asText(""));
        interrupt.put("reason", asked.path("reason").asText("interrupt"));
        JsonNode payload = asked.path("payload").deepCopy();
        if (payload instanceof ObjectNode fields) {
            move(fields, "message", interrupt, JsonNode::isTextual);
            move(fields, "toolCallId", interrupt, JsonNode::isTextual);
            move(fields, "responseSchema", interrupt, JsonNode::isObject);
            move(fields, "expiresAt", interrupt, Dialect::isTime);
            move(fields, "metadata", interrupt, JsonNode::isObject);
            if (!interrupt.has("message") && fields.path("prompt").isTextual()) {
                interrupt.set("message", fields.remove("prompt"));
            }
            readCall(fields, interrupt);
        }
        ObjectNode metadata = interrupt.withObjectProperty("metadata");
        metadata.setAll(draftMetadata());
        if (!payload.isMissingNode() && !payload.isNull() && !(payload.isObject() && payload.isEmpty())) {
            metadata.set("payload", payload);
        }
        return interrupt;
    }

    /**
     * Describes the call of a payload as Holdpoint does. An answer to a {@code proposal} may have {@code modifications}, as in the
     * proposal's own example. One to a {@code functionName} has no field for changes, unless the payload's schema names one: a server that
     * does not know the field would run the call unchanged.
     */
    private static void readCall(ObjectNode payload, ObjectNode interrupt) {
        if (interrupt.at("/metadata/langchain4j").has("toolName")) {
            payload.remove(List.of("proposal", "functionName", "functionArguments")); // repeat what is there
            return;
        }
        boolean isProposal = payload.at("/proposal/tool").isTextual();
        ObjectNode source = isProposal ? (ObjectNode) payload.get("proposal") : payload;
        JsonNode tool = source.path(isProposal ? "tool" : "functionName");
        if (!tool.isTextual()) {
            return;
        }
        JsonNode arguments = source.path(isProposal ? "args" : "functionArguments");
        source.remove(List.of("tool", "args", "functionName", "functionArguments"));
        if (isProposal && source.isEmpty()) {
            payload.remove("proposal");
        }
        ObjectNode metadata = interrupt.withObjectProperty("metadata");
        metadata.set("reason", interrupt.get("reason"));
        ObjectNode call = metadata.putObject("langchain4j");
        call.set("toolName", tool);
        String shown = "Run " + tool.textValue() + "?";
        if (!arguments.isMissingNode() && !arguments.isNull()) {
            call.set("args", arguments);
            shown += " " + arguments;
        }
        interrupt.put("reason", "tool_call");
        if (!interrupt.has("message")) {
            interrupt.put("message", INVISIBLE.matcher(shown).replaceAll(Dialect::code));
        }
        if (!interrupt.has("responseSchema")) {
            ObjectNode schema = interrupt.putObject("responseSchema").put("type", "object");
            ObjectNode properties = schema.putObject("properties");
            properties.putObject("approved").put("type", "boolean");
            properties.putObject("reason").put("type", "string");
            if (isProposal && arguments.isObject()) {
                offerModifications(properties, arguments);
            }
            schema.putArray("required").add("approved");
        }
    }

    private static String code(MatchResult invisible) {
        return String.format("\\\\u%04x", invisible.group().codePointAt(0));
    }

    /** The proposal does not say which types the arguments have: a text stays a text. */
    private static void offerModifications(ObjectNode properties, JsonNode arguments) {
        ObjectNode modifications = properties.putObject("modifications").put("type", "object");
        ObjectNode each = modifications.putObject("properties");
        arguments.properties().forEach(argument -> {
            ObjectNode schema = each.putObject(argument.getKey());
            if (argument.getValue().isTextual()) {
                schema.put("type", "string");
            }
        });
    }

    private static void move(ObjectNode from, String field, ObjectNode to, Predicate<JsonNode> isTaken) {
        JsonNode value = from.path(field);
        if (isTaken.test(value)) {
            to.set(field, value);
            from.remove(field);
        }
    }

    private static boolean isTime(JsonNode value) {
        try {
            return value.isTextual() && Instant.parse(value.textValue()) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
