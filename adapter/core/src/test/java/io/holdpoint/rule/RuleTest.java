package io.holdpoint.rule;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule has a say at several moments, and can only tighten. */
class RuleTest {

    private final List<String> effects = new ArrayList<>();
    private final Bench bench = new Bench();

    /** Pays and looks. */
    final class Bank {

        @Tool
        @RequiresApproval
        String pay(int amount) {
            effects.add("pay " + amount);
            return "paid";
        }

        @Tool
        String look(String what) {
            effects.add("look " + what);
            return "seen";
        }
    }

    /** Says nothing at any moment. */
    static class Silent implements Rule {

        @Override
        public String name() {
            return "silent";
        }
    }

    private Holdpoint agent(Rule... rules) {
        return bench.another(builder -> builder.tools(new Bank()).rules(rules));
    }

    private RunResult looks(Holdpoint agent, String what) {
        bench.model.calls(call("l" + what, "look", "{\"what\":\"" + what + "\"}"));
        return agent.send(THREAD, "Look, please");
    }

    private PendingInterrupt.Approval paying(Holdpoint agent, int amount) {
        bench.model.calls(call("p" + amount, "pay", "{\"amount\":" + amount + "}"));
        return agent.send(THREAD, "Pay, please").interrupts().get(0).asApproval();
    }

    @Test
    void whatARuleSaysForAskingStandsBeforeTheQuestionAndInTheTrail() {
        class Asks extends Silent {

            @Override
            public Say onProposal(Proposal proposal) {
                return Say.ask("Nobody has looked at this before.", section());
            }
        }
        Holdpoint agent = agent(new Asks());

        assertThat(looks(agent, "inside").interrupts().get(0).message())
                .startsWith("Nobody has looked at this before. ")
                .hasSizeGreaterThan(40);
        assertThat(trail(AuditEvent.Kind.HELD).get(0).detail().path("why"))
                .hasToString("[\"Nobody has looked at this before.\"]");
    }

    private static ObjectNode section() {
        return JsonNodeFactory.instance.objectNode().put("because", "it is new");
    }

    private List<AuditEvent> trail(AuditEvent.Kind kind) {
        return bench.store.auditTrail(THREAD, 0, 100).stream()
                .filter(event -> event.kind() == kind)
                .toList();
    }

    // --- when a call is proposed

    @Test
    void aToolThatNobodyGuardsIsAskedAboutWhereARuleWantsIt() {
        Holdpoint agent = agent(new Silent() {
            @Override
            public Say onProposal(Proposal proposal) {
                return proposal.call().argument("what", String.class).orElse("").equals("new")
                        ? Say.ask(section())
                        : Say.NOTHING;
            }
        });
        bench.model.calls(call("l1", "look", "{\"what\":\"old\"}")).says("Seen.");
        assertThat(agent.send(THREAD, "Look")).isInstanceOf(RunResult.Completed.class);

        PendingInterrupt.Approval asked =
                looks(agent, "new").interrupts().get(0).asApproval();

        assertThat(effects).containsExactly("look old");
        assertThat(asked.interrupt()
                        .metadata()
                        .at("/langchain4j/silent/because")
                        .asText())
                .isEqualTo("it is new");
        assertThat(trail(AuditEvent.Kind.HELD)).singleElement().satisfies(event -> assertThat(
                        event.detail().at("/silent/because").asText())
                .isEqualTo("it is new"));
        bench.model.says("Seen.");
        agent.resume(THREAD, asked.approve());
        assertThat(effects).containsExactly("look old", "look new");
    }

    @Test
    void whatARuleDeniesIsNotAskedAbout() {
        Holdpoint agent = agent(new Silent() {
            @Override
            public Say onProposal(Proposal proposal) {
                return Say.deny("not on a Sunday");
            }
        });
        bench.model.calls(call("p1", "pay", "{\"amount\":5}")).says("Sorry.");

        assertThat(agent.send(THREAD, "Pay")).isInstanceOf(RunResult.Completed.class);

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("p1")).contains("not on a Sunday").contains("Nobody was asked");
    }

    @Test
    void aRemarkIsOnTheCardAndChangesNothing() {
        PendingInterrupt.Approval asked = paying(
                agent(new Silent() {
                    @Override
                    public Say onProposal(Proposal proposal) {
                        return Say.remark(section().put("asks", proposal.asks()));
                    }
                }),
                5);

        assertThat(asked.interrupt().metadata().at("/langchain4j/silent").toString())
                .isEqualTo("{\"because\":\"it is new\",\"asks\":true}");
    }

    @Test
    void whatWasRememberedDoesNotCountWhereARuleAsks() {
        List<Say> says = new ArrayList<>(List.of(Say.NOTHING, Say.NOTHING, Say.ASK));
        Holdpoint agent = bench.another(builder -> builder.tools(new Bank())
                .toolPolicies(ToolPolicy.named("look").remember(Duration.ofHours(1), Grant.Scope.TOOL))
                .rules(new Silent() {
                    @Override
                    public Say onProposal(Proposal proposal) {
                        return says.remove(0);
                    }
                }));
        PendingInterrupt first = looks(agent, "a").interrupts().get(0);
        bench.model.says("Seen.");
        agent.resume(THREAD, first.asApproval().approveAndRemember(Grant.Scope.TOOL));
        bench.model.calls(call("l2", "look", "{\"what\":\"b\"}")).says("Seen.");
        agent.send(THREAD, "Again");

        assertThat(looks(agent, "c").interrupts()).hasSize(1);
        assertThat(effects).containsExactly("look a", "look b");
    }

    @Test
    void theQuestionOfARuleIsThatOfThePoliciesWithAllThatTheyTake() {
        Holdpoint agent = bench.another(builder -> builder.tools(new Bank())
                .toolPolicies(ToolPolicy.named("look")
                        .when(call -> ApprovalVerdict.allow())
                        .message("Look at {{what}}?")
                        .respond())
                .rules(new Silent() {
                    @Override
                    public Say onProposal(Proposal proposal) {
                        return Say.ASK;
                    }
                }));

        PendingInterrupt.Approval asked = looks(agent, "a").interrupts().get(0).asApproval();

        assertThat(asked.message()).isEqualTo("Look at \"a\"?");
        assertThat(asked.interrupt().responseSchema().at("/properties").has("response"))
                .isTrue();
    }

    @Test
    @Logs("The rule * failed on *")
    void aRuleThatThrowsMakesAPersonBeAsked() {
        RunResult result = looks(
                agent(new Silent() {
                    @Override
                    public Say onProposal(Proposal proposal) {
                        throw new IllegalStateException("down");
                    }

                    @Override
                    public Say unsaid(String why) {
                        return Say.remark(section().put("why", why));
                    }
                }),
                "a");

        assertThat(result.interrupts()).singleElement().satisfies(asked -> assertThat(asked.interrupt()
                        .metadata()
                        .at("/langchain4j/silent/why")
                        .asText())
                .isEqualTo("failed"));
        assertThat(effects).isEmpty();
    }

    @Test
    void aRuleIsAboutTheToolsThatItNames() {
        Silent asks = new Silent() {
            @Override
            public Set<String> tools() {
                return Set.of("pay");
            }

            @Override
            public Say onProposal(Proposal proposal) {
                return Say.ASK;
            }
        };
        Holdpoint agent = agent(asks);
        bench.model.calls(call("l1", "look", "{\"what\":\"a\"}")).says("Seen.");

        assertThat(agent.send(THREAD, "Look")).isInstanceOf(RunResult.Completed.class);
        assertThat(effects).containsExactly("look a");
    }

    @Test
    void aToolThatThereIsNotIsFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> agent(new Silent() {
                    @Override
                    public Set<String> tools() {
                        return Set.of("pau");
                    }
                }))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("\"silent\"")
                .hasMessageContaining("\"pau\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "args", "reversibility", "with-hyphen", "Ünsichtbar"})
    void aNameThatIsTakenOrNoneIsFoundWhenTheAgentIsBuilt(String name) {
        assertThatThrownBy(() -> agent(new Silent() {
                    @Override
                    public String name() {
                        return name;
                    }
                }))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("name of the rule");
    }

    @Test
    void twoRulesOfOneNameAreFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> agent(new Silent(), new Silent()))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("name of the rule");
    }

    @Test
    void aRuleKnowsWhetherWhatTheToolDoesCanBeTakenBack() {
        List<Optional<Reversibility>> known = new ArrayList<>();
        Holdpoint agent = bench.another(builder -> builder.tools(new Bank())
                .toolPolicies(ToolPolicy.named("look").withoutApproval().reversibility(Reversibility.READ_ONLY))
                .rules(new Silent() {
                    @Override
                    public boolean concerns(ToolSpecification tool, Optional<Reversibility> reversibility) {
                        return tool.name().equals("look") && known.add(reversibility);
                    }
                }));
        bench.model.calls(call("l1", "look", "{\"what\":\"a\"}")).says("Seen.");
        agent.send(THREAD, "Look");

        assertThat(known).contains(Optional.of(Reversibility.READ_ONLY));
    }

    @Test
    void aCallOfTheClientAboutWhichARuleAsksIsApprovedAsItIsAndLeftToTheClient() {
        Holdpoint agent = bench.another(builder -> builder.clientTools(List.of(ToolSpecification.builder()
                        .name("openPage")
                        .parameters(JsonObjectSchema.builder()
                                .addStringProperty("page")
                                .build())
                        .build()))
                .rules(new Silent() {
                    @Override
                    public Say onProposal(Proposal proposal) {
                        return Say.ASK;
                    }
                }));
        bench.model.calls(call("o1", "openPage", "{\"page\":\"/home\"}"));

        PendingInterrupt.Approval asked =
                agent.send(THREAD, "Open").interrupts().get(0).asApproval();

        assertThat(asked.interrupt().responseSchema().at("/properties").has("editedArgs"))
                .isFalse();
        assertThat(agent.resume(THREAD, asked.approve())).isInstanceOf(RunResult.LeftToClient.class);
    }

    // --- when it is answered

    /** Takes no approval of more than this. */
    private static final class AtMost extends Silent {

        private final int most;

        AtMost(int most) {
            this.most = most;
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            int amount = answer.call().argument("amount", Integer.class).orElseThrow();
            return amount > most
                    ? Optional.of(answer.caller().id() + " may approve " + most + " at most.")
                    : Optional.empty();
        }
    }

    @Test
    void anAnswerThatARuleRefusesChangesNothingAndSaysWhy() {
        Holdpoint agent = agent(new AtMost(100)).as(Caller.of("ada"));
        PendingInterrupt.Approval asked = paying(agent, 500);
        String before = stored();

        RunResult.Failed refused = (RunResult.Failed) agent.resume(THREAD, asked.approve());

        assertThat(refused.code()).isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID);
        assertThat(refused.message()).contains("ada may approve 100 at most.");
        assertThat(stored()).isEqualTo(before);
        assertThat(effects).isEmpty();
        bench.model.says("Paid.");
        agent.resume(
                THREAD, asked.approveWith(JsonNodeFactory.instance.objectNode().put("amount", 99)));
        assertThat(effects).containsExactly("pay 99");
    }

    private String stored() {
        return bench.store.find(THREAD).orElseThrow().batch().orElseThrow().toString();
    }

    @Test
    void aDenialAndACancellationNeedNoRule() {
        Holdpoint agent = agent(new AtMost(0)).as(Caller.of("ada"));
        PendingInterrupt.Approval asked = paying(agent, 5);
        bench.model.says("Well.");

        agent.resume(THREAD, asked.deny("No."));

        assertThat(bench.model.lastResult("p5")).contains("No.");
    }

    @Test
    @Logs("The rule * failed on an answer *")
    void aRuleThatThrowsTakesNoAnswer() {
        Holdpoint agent = agent(new Silent() {
            @Override
            public Optional<String> onAnswer(Answering answer) {
                throw new IllegalStateException("down");
            }
        });
        PendingInterrupt.Approval asked = paying(agent, 5);

        assertThat(agent.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Failed.class);
        assertThat(effects).isEmpty();
    }

    // --- right before it runs

    /** Lets nothing run while it is closed. */
    private static final class Door extends Silent {

        private boolean closed;
        private final List<String> asked = new ArrayList<>();

        @Override
        public Optional<String> beforeBody(ProposedCall call) {
            asked.add(call.arguments().toString());
            return closed ? Optional.of("the office is closed") : Optional.empty();
        }
    }

    @Test
    void anApprovedCallDoesNotRunIfARuleKeepsItFromThat() {
        Door door = new Door();
        Holdpoint agent = agent(door);
        PendingInterrupt.Approval asked = paying(agent, 5);
        door.closed = true;
        bench.model.says("Sorry.");

        agent.resume(
                THREAD, asked.approveWith(JsonNodeFactory.instance.objectNode().put("amount", 6)));

        assertThat(effects).isEmpty();
        assertThat(door.asked).containsExactly("{\"amount\":6}");
        assertThat(bench.model.lastResult("p5"))
                .contains("the office is closed")
                .contains("A person approved this call");
    }

    @Test
    void aCallThatNobodyIsAskedAboutNeitherDoes() {
        Door door = new Door();
        door.closed = true;
        Holdpoint agent = agent(door);
        bench.model.calls(call("l1", "look", "{\"what\":\"a\"}")).says("Sorry.");

        agent.send(THREAD, "Look");

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("l1"))
                .contains("the office is closed")
                .contains("Nobody was asked");
    }

    @Test
    @Logs("The rule * failed on a call *")
    void aRuleThatThrowsKeepsTheCallFromRunning() {
        Holdpoint agent = agent(new Silent() {
            @Override
            public Optional<String> beforeBody(ProposedCall call) {
                throw new IllegalStateException("down");
            }
        });
        PendingInterrupt.Approval asked = paying(agent, 5);
        bench.model.says("Sorry.");

        agent.resume(THREAD, asked.approve());

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("p5")).contains("a check of the application failed");
    }

    @Test
    void whatARuleDoesToItsCopyChangesNothing() {
        Holdpoint agent = agent(new Silent() {
            @Override
            public Say onProposal(Proposal proposal) {
                proposal.call().arguments().put("amount", 1);
                return Say.NOTHING;
            }

            @Override
            public Optional<String> onAnswer(Answering answer) {
                answer.call().arguments().put("amount", 2);
                ((ObjectNode) answer.payload()).put("approved", false);
                return Optional.empty();
            }

            @Override
            public Optional<String> beforeBody(ProposedCall call) {
                call.arguments().put("amount", 3);
                return Optional.empty();
            }
        });
        PendingInterrupt.Approval asked = paying(agent, 5);
        bench.model.says("Paid.");

        agent.resume(THREAD, asked.approve());

        assertThat(effects).containsExactly("pay 5");
    }

    // --- rules that are odd

    @Test
    @Logs("The rule * failed *")
    void nullIsTheStrictSideAtEveryMoment() {
        Holdpoint agent = agent(new Silent() {
            @Override
            public Say onProposal(Proposal proposal) {
                return nothing();
            }

            @Override
            public Say unsaid(String why) {
                return nothing();
            }

            @Override
            public Optional<String> beforeBody(ProposedCall call) {
                return nothing();
            }
        });
        PendingInterrupt.Approval asked = looks(agent, "a").interrupts().get(0).asApproval();
        bench.model.says("Sorry.");

        assertThat(agent.resume(THREAD, asked.approve())).isInstanceOf(RunResult.Completed.class);

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("la")).contains("a check of the application failed");
    }

    @Test
    @Logs("The rule * failed *")
    void nullTakesNoAnswer() {
        Holdpoint agent = agent(new Silent() {
            @Override
            public Optional<String> onAnswer(Answering answer) {
                return nothing();
            }
        });
        PendingInterrupt.Approval asked = paying(agent, 5);

        assertThat(agent.resume(THREAD, asked.approve()))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.INTERRUPT_PAYLOAD_INVALID));

        assertThat(effects).isEmpty();
        assertThat(agent.pending(THREAD)).hasSize(1);
    }

    @Test
    void whatARuleSaysAboutItselfIsReadWhenTheAgentIsBuilt() {
        List<String> asked = new ArrayList<>();
        Holdpoint agent = agent(new Silent() {
            private <T> T once(String what, T value) {
                if (asked.contains(what)) {
                    throw new IllegalStateException(what);
                }
                asked.add(what);
                return value;
            }

            @Override
            public String name() {
                return once("name", "odd");
            }

            @Override
            public Set<String> tools() {
                return once("tools", Set.of("look"));
            }

            @Override
            public Duration within() {
                return once("within", Duration.ZERO);
            }

            @Override
            public Set<String> unredacted() {
                return once("unredacted", Set.of());
            }

            @Override
            public Say onProposal(Proposal proposal) {
                return Say.ask(section());
            }
        });

        PendingInterrupt.Approval held = looks(agent, "a").interrupts().get(0).asApproval();

        assertThat(held.interrupt().metadata().at("/langchain4j/odd/because").asText())
                .isEqualTo("it is new");
        bench.model.says("Seen.");
        agent.resume(THREAD, held.approve());
        assertThat(effects).containsExactly("look a");
    }

    /** Null, as code says it that nothing has checked for it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return (T) null;
    }
}
