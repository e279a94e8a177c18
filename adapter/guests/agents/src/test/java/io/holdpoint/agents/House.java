package io.holdpoint.agents;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RequiresApproval;
import io.holdpoint.TimerAccess;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.EitherModel;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Shape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A boss whose clerk has an aide, on two servers with common stores. Everything may fail, and other things happen meanwhile. It notes what is wrong:
 * a body that is entered though it must not be, and a model that is told what is not so.
 */
final class House {

    static final Duration LEASE = Duration.ofSeconds(1);

    private static final Map<String, List<String>> TOOLS = Map.of(
            "boss", List.of("pay", "mail", "wire", "book", "risk", "look", "clerk", "clerk", "clerk"),
            "clerk", List.of("pay", "mail", "book", "look", "aide"),
            "aide", List.of("pay", "mail", "wire", "look"));

    /** A call that a model has made, and what is known of it outside. */
    static final class Proposed {

        final String id;
        final String tool;
        private final int task;
        /** Who has said yes to it, by its note, which people edit. */
        final Map<String, Set<String>> approvals = new HashMap<>();

        int entered;
        int retries;
        boolean denied;
        boolean cancelled;
        private String told = "";

        private Proposed(String id, String tool, int task) {
            this.id = id;
            this.tool = tool;
            this.task = task;
        }

        private boolean isAgent() {
            return TOOLS.containsKey(tool);
        }

        @Override
        public String toString() {
            return id + " " + tool + " entered " + entered + " times, approved " + approvals;
        }
    }

    final Random chance;
    final VirtualClock clock = new VirtualClock();
    final Store inner = new InMemoryStore();
    final Store outer;
    final List<Node> nodes = new ArrayList<>();
    final Map<Integer, Proposed> proposed = new HashMap<>();
    final Set<String> halted = new HashSet<>();
    final List<String> wrong = new ArrayList<>();
    /** What has happened, to be read when something is wrong. */
    final List<String> log = new ArrayList<>();

    private final Shape shape;
    private final Runnable meanwhile;
    private boolean calm;

    /** @param meanwhile does something with another server than the one that is at work */
    House(long seed, Runnable meanwhile) {
        this.chance = new Random(seed);
        this.meanwhile = meanwhile;
        this.shape = chance.nextBoolean() ? Shape.STREAMING : Shape.BLOCKING;
        this.outer = chance.nextBoolean() ? inner : new InMemoryStore();
        nodes.add(new Node("a"));
        nodes.add(new Node("b"));
    }

    /** Nothing fails any more. */
    void calmsDown() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    boolean happens(int oneIn) {
        return !calm && chance.nextInt(oneIn) == 0;
    }

    /** A server. */
    final class Node {

        final String name;
        final Holdpoint boss;
        final Holdpoint clerk;
        boolean dead;

        Node(String name) {
            this.name = name;
            boolean before = calm;
            calm = true;
            Holdpoint aide = agent("aide", inner).build();
            clerk = agent("clerk", inner)
                    .toolProviders(LocalAgent.of("aide", "Helps", aide))
                    .build();
            boss = agent("boss", outer)
                    .toolPolicies(ToolPolicy.named("risk").askOnFailure())
                    .toolProviders(LocalAgent.of("clerk", "Pays bills", clerk))
                    .build();
            calm = before;
        }

        private HoldpointBuilder<?> agent(String agent, Store store) {
            Model model = new Model(agent);
            return TimerAccess.lease(
                            LEASE,
                            new ManualTimer()
                                    .in(shape.builder(model, model, service -> {})
                                            .clock(clock)))
                    .name(agent)
                    .store(weak(store))
                    .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                    .tools(new Office(this, agent));
        }

        private Store weak(Store store) {
            return (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("of")) {
                            return weak(store.of((String) arguments[0]));
                        }
                        if (happens(60)) {
                            meanwhile.run();
                        }
                        if (dead) {
                            throw new StoreException("the node is dead");
                        }
                        boolean fails = happens(40);
                        boolean before = chance.nextBoolean();
                        if (fails && before) {
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
            log.add("  " + name + (dead ? " dies " : ": the store fails ") + when + " " + operation);
            return new StoreException("no connection");
        }
    }

    /** The tools of an agent. */
    private final class Office {

        private final Node node;
        private final String agent;

        private Office(Node node, String agent) {
            this.node = node;
            this.agent = agent;
        }

        @Tool
        @RequiresApproval(approvals = 2)
        String pay(int n, String note) {
            return body(n, note, 2);
        }

        @Tool
        @RequiresApproval(expiresAfter = "PT20M", whenExpired = WhenExpired.GIVE_UP)
        String mail(int n, String note) {
            return body(n, note, 1);
        }

        @Tool
        @RequiresApproval(expiresAfter = "PT30M", whenExpired = WhenExpired.GO_ON)
        String wire(int n, String note) {
            return body(n, note, 1);
        }

        @Tool
        @RequiresApproval(idempotent = true)
        String book(int n, String note) {
            return body(n, note, 1);
        }

        @Tool
        @RequiresApproval(approvals = 2)
        String risk(int n, String note) {
            return body(n, note, 2);
        }

        @Tool
        String look(int n, String note) {
            return body(n, note, 0);
        }

        private String body(int n, String note, int needed) {
            Proposed call = proposed.get(n);
            log.add("  " + node.name + " enters " + call + " with " + note);
            call.entered++;
            wrongIf(node.dead, "on a dead node", call);
            wrongIf(call.approvals.getOrDefault(note, Set.of()).size() < needed, "without approval", call);
            wrongIf(call.denied, "though it was denied", call);
            wrongIf(call.cancelled && call.entered == 1, "though it was cancelled", call);
            wrongIf(!call.told.isEmpty() && call.entered == 1, "though the model was told " + call.told, call);
            wrongIf(call.entered > 1 + call.retries && !call.tool.equals("book"), "again", call);
            wrongIf(halted.contains(agent), "though the agent is halted", call);
            if (happens(6)) {
                meanwhile.run();
            }
            if (happens(12)) {
                log.add("  " + node.name + " dies in it");
                node.dead = true;
            } else if (happens(10)) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("not waited for");
            } else if (happens(10)) {
                throw new IllegalStateException("broken");
            }
            return "effect of " + call.id + " is there";
        }

        private void wrongIf(boolean is, String what, Proposed call) {
            if (is) {
                wrong.add("entered " + what + ": " + call);
            }
        }
    }

    /** A model that makes calls as it likes, and looks at what it is told. */
    private final class Model extends EitherModel {

        private final String agent;

        private Model(String agent) {
            this.agent = agent;
        }

        @Override
        public ChatResponse doChat(ChatRequest request) {
            List<ChatMessage> messages = request.messages();
            check(messages);
            if (happens(12)) {
                log.add("  the model of " + agent + " fails");
                throw new IllegalStateException("HTTP 500", new IllegalStateException("of the provider"));
            }
            boolean isNew = messages.get(messages.size() - 1) instanceof UserMessage;
            AiMessage answer = isNew || happens(4) ? AiMessage.from(calls(messages)) : AiMessage.from("I am done.");
            log.add("  the model of " + agent + " says " + answer);
            return ChatResponse.builder().aiMessage(answer).build();
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            ChatResponse response = doChat(request);
            int index = 0;
            for (ToolExecutionRequest call : response.aiMessage().toolExecutionRequests()) {
                handler.onCompleteToolCall(new CompleteToolCall(index++, call));
            }
            handler.onCompleteResponse(response);
        }

        private List<ToolExecutionRequest> calls(List<ChatMessage> messages) {
            int task = 0;
            for (ChatMessage message : messages) {
                if (message instanceof UserMessage user && user.singleText().startsWith("task ")) {
                    task = Integer.parseInt(user.singleText().substring(5));
                }
            }
            List<ToolExecutionRequest> calls = new ArrayList<>();
            for (int i = 1 + chance.nextInt(3); i > 0; i--) {
                List<String> tools = TOOLS.get(agent);
                int n = proposed.size() + 1;
                Proposed call = new Proposed("c" + n, tools.get(chance.nextInt(tools.size())), task);
                proposed.put(n, call);
                calls.add(ToolExecutionRequest.builder()
                        .id(call.id)
                        .name(call.tool)
                        .arguments(
                                call.isAgent()
                                        ? "{\"task\":\"task " + n + "\"}"
                                        : "{\"n\":" + n + ",\"note\":\"as it is\"}")
                        .build());
            }
            return calls;
        }

        /** Every call has one result, which tells the truth. */
        private void check(List<ChatMessage> messages) {
            Set<String> open = new HashSet<>();
            for (ChatMessage message : messages) {
                if (message instanceof ToolExecutionResultMessage result) {
                    if (!open.remove(result.id())) {
                        wrong.add("a result of no call: " + result);
                    }
                    check(number(result.id()), result.text());
                } else if (!open.isEmpty()) {
                    wrong.add("no results of " + open);
                } else if (message instanceof AiMessage ai) {
                    ai.toolExecutionRequests().forEach(call -> open.add(call.id()));
                }
            }
            if (!open.isEmpty()) {
                wrong.add("no results of " + open);
            }
        }

        private void check(int n, String text) {
            Proposed call = proposed.get(n);
            boolean isNothing = text.contains("was not executed") || text.contains("had no effect");
            boolean ran = call.isAgent()
                    ? proposed.values().stream().anyMatch(each -> each.entered > 0 && isInside(each, n))
                            && !text.contains("Calls that ran before")
                    : call.entered > 0 && !text.contains("as a person has confirmed");
            if (isNothing && ran) {
                wrong.add("told that nothing has run: " + call + ": " + text);
            }
            if (text.contains("is there")
                    && (call.entered == 0 || !text.endsWith("effect of " + call.id + " is there"))) {
                wrong.add("told of an effect: " + call + ": " + text);
            }
            if (isNothing) {
                call.told = text;
            }
        }
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(1));
    }

    private boolean isInside(Proposed each, int task) {
        return each.task == task || each.task > 0 && isInside(proposed.get(each.task), task);
    }
}
