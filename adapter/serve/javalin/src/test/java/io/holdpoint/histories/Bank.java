package io.holdpoint.histories;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.Retention;
import io.holdpoint.TimerAccess;
import io.holdpoint.agui.Message;
import io.holdpoint.histories.Ledger.Form;
import io.holdpoint.histories.Ledger.Proposed;
import io.holdpoint.people.IntendedCall;
import io.holdpoint.people.Opinion;
import io.holdpoint.people.Provenance;
import io.holdpoint.people.SecondOpinion;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.EitherModel;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Shape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** An agent on two servers with a common store, of which everything may fail, while other things happen. */
final class Bank {

    static final Duration LEASE = Duration.ofSeconds(1);
    static final Duration KEPT = Duration.ofMinutes(30);
    static final int MOST_BOUGHT = 3;
    static final List<String> THREADS = List.of("t", "u");

    static final Caller ANN = Caller.of("ann");
    static final List<Caller> PEOPLE = List.of(
            Caller.of("grace", "approver"),
            Caller.of("henry", "approver", "manager"),
            Caller.of("iris", "approver", "manager"),
            Caller.of("zoe", "approver", "manager"));

    /** What a history may have, beside votes and edits. */
    enum Feature {
        /** The store fails, and servers die. */
        FAULTS,
        /** Something happens on the other server while one is at work. */
        MEANWHILE,
        LINKS,
        TIME,
        EFFECT,
        GRANTS,
        PROVENANCE,
        CONFIRM,
        FAILURES,
        NOTICES,
        FOLLOW,
        HALT,
        /** Messages are edited, and answered again. */
        REWRITE,
        PURGE,
        OPINION,
        /** People lose the right to decide, and get it back. */
        ROLES,
        INTENDED,
        /** A tool asks in the middle. */
        INSIDE,
        /** There are two threads, and what is allowed in one counts in both. */
        OWNER,
        PROPOSE,
        /** The user says something else instead of answering. */
        STEERING,
        FOUR_EYES
    }

    final Random chance;
    final Set<Feature> features;
    final Ledger ledger = new Ledger();
    final VirtualClock clock = new VirtualClock();
    final Store store;
    final List<Node> nodes = new ArrayList<>();
    final Node observer;
    /** The server that the present step is one of, and its thread. */
    Node atWork;

    String at = THREADS.get(0);
    boolean halted;
    /** Store failures and what has happened meanwhile, counted: an answer during none of them was taken or not. */
    int disturbances;

    final Map<String, List<ToolExecutionRequest>> proposals = new HashMap<>();
    private final ChatMemoryStore memories = new InMemoryChatMemoryStore();
    private final Shape shape;
    private final Holdpoint origin;
    private final Runnable meanwhile;
    private final Consumer<Notice> told;
    private boolean calm;

    Bank(Random chance, Store store, Set<Feature> features, Runnable meanwhile, Consumer<Notice> told) {
        this.chance = chance;
        this.store = store;
        this.features = features;
        this.meanwhile = meanwhile;
        this.told = told;
        ledger.isPurging = has(Feature.PURGE);
        ledger.hasOpinions = has(Feature.OPINION);
        this.shape = chance.nextBoolean() ? Shape.STREAMING : Shape.BLOCKING;
        calm = true;
        origin = builder(new ManualTimer(), store).build();
        calm = false;
        nodes.add(new Node("a", false));
        nodes.add(new Node("b", false));
        observer = new Node("observer", true);
        atWork = observer;
    }

    /** Nothing fails any more. */
    void calmsDown() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    boolean happens(int oneIn) {
        return !calm && chance.nextInt(oneIn) == 0;
    }

    void say(String line) {
        ledger.log.add(line);
    }

    static Optional<Caller> person(String id) {
        return PEOPLE.stream().filter(each -> each.id().equals(id)).findFirst().or(() -> Optional.of(ANN)
                .filter(ann -> ann.id().equals(id)));
    }

    /** A server. */
    final class Node {

        final String name;
        final Holdpoint agent;
        final ManualTimer timer = new ManualTimer();
        boolean dead;

        Node(String name, boolean observes) {
            this.name = name;
            boolean before = calm;
            calm = true;
            HoldpointBuilder<?> builder = builder(timer, observes ? store : weak(store));
            if (has(Feature.NOTICES) && !observes) {
                builder.with(Reach.notifier("mail", this::tell));
            }
            agent = TimerAccess.restarted(builder, origin); // in a tenth of the time
            calm = before;
        }

        private void tell(Notice notice) {
            if (dead || happens(5)) {
                throw new IllegalStateException("no mail");
            }
            told.accept(notice);
            if (happens(30)) {
                meanwhile();
            }
            if (happens(10)) {
                throw new IllegalStateException("no line after the mail");
            }
        }

        private Store weak(Store store) {
            return (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("of")) {
                            return weak(store.of((String) arguments[0]));
                        }
                        if (happens(60)) {
                            meanwhile();
                        }
                        if (dead) {
                            throw new StoreException("the node is dead");
                        }
                        boolean fails = has(Feature.FAULTS) && happens(40);
                        boolean before = fails && chance.nextBoolean();
                        if (before) {
                            throw down(method.getName(), "before");
                        }
                        try {
                            Object result = method.invoke(store, arguments);
                            if (fails) {
                                throw down(method.getName(), "after");
                            }
                            return result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private StoreException down(String operation, String when) {
            dead = happens(3);
            disturbances++;
            say("  " + name + (dead ? " dies " : ": the store fails ") + when + " " + operation);
            return new StoreException("no connection");
        }

        private void meanwhile() {
            if (has(Feature.MEANWHILE)) {
                disturbances++;
                meanwhile.run();
            }
        }
    }

    /** Servers have their chat memories in common, as an application's have. */
    private ChatMemory memory(Object id) {
        return MessageWindowChatMemory.builder()
                .id(id)
                .maxMessages(100)
                .chatMemoryStore(memories)
                .build();
    }

    private HoldpointBuilder<?> builder(ManualTimer timer, Store store) {
        Model model = new Model();
        HoldpointBuilder<?> builder = TimerAccess.lease(
                        LEASE,
                        timer.in(shape.builder(model, model, service -> {}).clock(clock)))
                .store(store)
                .chatMemoryProvider(this::memory)
                .people(Bank::person)
                .tools(new Office(this))
                .toolPolicies(Office.policies(this))
                .with(Reach.links(
                        Links.signed(URI.create("https://bank.example.com"), Links.Key.of("k", new byte[32]))));
        ApprovalAuthorizer approver = new Present(ledger.suspended);
        builder.approvalAuthorizer(has(Feature.FOUR_EYES) ? ApprovalAuthorizer.fourEyes(approver) : approver);
        if (has(Feature.PURGE)) {
            builder.retention(new Retention(Duration.ofMinutes(30), Duration.ofHours(2)));
        }
        if (has(Feature.PROVENANCE)) {
            builder.rules(Provenance.untrusted("fetch"));
        }
        if (has(Feature.OPINION)) {
            builder.rules(SecondOpinion.of(proposal -> new Opinion(
                            proposal.call().arguments().path("amount").asInt() == Ledger.DOUBTED
                                    ? Opinion.Concern.SERIOUS
                                    : Opinion.Concern.NONE,
                            "Looks odd."))
                    .about("tip", "buy", "order"));
        }
        return builder;
    }

    /** Lets approvers decide, as long as they are not suspended. */
    private record Present(Set<String> suspended) implements ApprovalAuthorizer {

        @Override
        public boolean mayDecide(Request request) {
            return mayAccess(request.caller(), request.threadId(), request.ownerId())
                    && !suspended.contains(request.caller().id());
        }

        @Override
        public boolean mayAccess(Caller caller, String threadId, String ownerId) {
            return caller.roles().contains("approver");
        }
    }

    /** A body is entered by the server at work. */
    String enter(String id, Form form) {
        Proposed call = ledger.calls.get(id);
        Node node = atWork;
        say("  " + node.name + " enters " + call + " with " + form);
        ledger.wrongIf(node.dead, "entered on a dead node", call);
        ledger.wrongIf(halted, "entered though the agent is halted", call);
        ledger.enter(call, form, clock.instant());
        if (happens(6)) {
            node.meanwhile();
        }
        if (has(Feature.FAULTS) && happens(12)) {
            say("  " + node.name + " dies in it");
            disturbances++;
            node.dead = true;
        } else if (has(Feature.FAILURES) && happens(10)) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("not waited for");
        } else if (has(Feature.FAILURES) && happens(10)) {
            throw new IllegalStateException("broken");
        }
        return Ledger.effect(call, form);
    }

    /** A call as a model makes it, or somebody in its place. */
    ToolExecutionRequest proposed(String thread, boolean hasRead) {
        List<String> tools = Office.names(this);
        String tool = tools.get(chance.nextInt(tools.size()));
        int amount = List.of(5, 5, 5, 20, 60, 150).get(chance.nextInt(6));
        Form form = tool.equals("intend") ? list() : new Form(amount, chance.nextInt(3) > 0 ? "rent" : "food");
        Proposed call = ledger.propose(thread, tool, form, hasRead);
        return ToolExecutionRequest.builder()
                .id(call.id)
                .name(call.tool)
                .arguments(form.arguments().toString())
                .build();
    }

    /** A call that somebody proposes in the place of the model. */
    ToolExecutionRequest proposal() {
        ToolExecutionRequest call = proposed(at, false);
        proposals.computeIfAbsent(at, thread -> new ArrayList<>()).add(call);
        return call;
    }

    /** Whether texts stand in a thread that nobody vouches for. */
    boolean hasRead(String thread) {
        return store.transcript(thread).stream()
                .anyMatch(message -> message instanceof Message.Tool result
                        && ledger.calls.get(result.toolCallId()).tool.equals("fetch")
                        && result.content().asText().contains("is there"));
    }

    private Form list() {
        List<IntendedCall> calls = new ArrayList<>();
        for (int i = 1 + chance.nextInt(3); i > 0; i--) {
            Form form = new Form(5, chance.nextInt(3) > 0 ? "rent" : "food");
            calls.add(new IntendedCall(
                    chance.nextInt(4) == 0 ? "pay" : "order", form.arguments().toString(), 1 + chance.nextInt(2)));
        }
        return Form.of(calls);
    }

    /** A model that makes calls as it likes, and looks at what it is told. */
    private final class Model extends EitherModel {

        @Override
        public ChatResponse doChat(ChatRequest request) {
            List<ChatMessage> messages = request.messages();
            check(messages);
            if (has(Feature.FAILURES) && happens(12)) {
                say("  the model fails");
                throw new IllegalStateException("HTTP 500", new IllegalStateException("of the provider"));
            }
            boolean isNew = messages.get(messages.size() - 1) instanceof UserMessage;
            AiMessage answer = isNew || happens(4) ? AiMessage.from(calls(messages)) : AiMessage.from("I am done.");
            say("  the model says " + answer);
            return ChatResponse.builder().aiMessage(answer).build();
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            ChatResponse response = doChat(request);
            Optional.ofNullable(response.aiMessage().text()).ifPresent(handler::onPartialResponse);
            int index = 0;
            for (ToolExecutionRequest call : response.aiMessage().toolExecutionRequests()) {
                handler.onCompleteToolCall(new CompleteToolCall(index++, call));
            }
            handler.onCompleteResponse(response);
        }

        private List<ToolExecutionRequest> calls(List<ChatMessage> messages) {
            boolean hasRead = messages.stream()
                    .anyMatch(message -> message instanceof ToolExecutionResultMessage result
                            && result.toolName().equals("fetch")
                            && result.text().contains("is there"));
            String thread = messages.stream()
                    .filter(UserMessage.class::isInstance)
                    .map(message -> ((UserMessage) message).singleText())
                    .reduce((one, other) -> other)
                    .orElseThrow()
                    .substring(0, 1);
            List<ToolExecutionRequest> calls = new ArrayList<>();
            for (int i = 1 + chance.nextInt(3); i > 0; i--) {
                calls.add(proposed(thread, hasRead));
            }
            return calls;
        }

        /** Every call has one result, which tells the truth. */
        private void check(List<ChatMessage> messages) {
            Set<String> open = new HashSet<>();
            for (ChatMessage message : messages) {
                if (message instanceof ToolExecutionResultMessage result) {
                    ledger.wrongIf(!open.remove(result.id()), "a result of no call", result);
                    results.put(result.id(), result.text());
                    ledger.tell(ledger.calls.get(result.id()), result.text());
                } else {
                    ledger.wrongIf(!open.isEmpty(), "no results", open);
                    if (message instanceof AiMessage ai) {
                        ai.toolExecutionRequests().forEach(call -> open.add(call.id()));
                    }
                }
            }
            ledger.wrongIf(!open.isEmpty(), "no results", open);
        }
    }

    /** What the model was told of its calls last. */
    final Map<String, String> results = new HashMap<>();
}
