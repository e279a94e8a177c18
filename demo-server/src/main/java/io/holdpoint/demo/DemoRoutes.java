package io.holdpoint.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.demo.tools.BankTools;
import io.holdpoint.demo.tools.DemoEffects;
import io.holdpoint.demo.tools.MailTools;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.Inbox;
import io.holdpoint.javalin.Authenticator;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.AuditEvent;
import io.javalin.config.RoutesConfig;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the page shows beside the agent, below {@code /demo}: {@code me}, {@code effects}, {@code mails}, {@code audit?threadId=} and
 * {@code grants?threadId=}, of which {@code DELETE grants/{grantId}} takes one back, and {@code crash}. Of a thread that the caller may not see there
 * is nothing. Thread-safe.
 */
final class DemoRoutes {

    private static final int AUDIT_PAGE = 500;
    private static final ObjectNode NOTHING = AguiCodec.mapper().createObjectNode();

    /** What questions call the arguments of tools that can be edited, so that what ran reads as what was asked. */
    private static final Map<String, ObjectNode> LABELS = Stream.of(BankTools.class, MailTools.class)
            .flatMap(tools -> ToolSpecifications.toolSpecificationsFrom(tools).stream())
            .collect(Collectors.toMap(ToolSpecification::name, DemoRoutes::labels));

    private final Holdpoint agent;
    private final DemoSettings settings;
    private final DemoEffects effects;
    private final SiteGuard site;

    DemoRoutes(Holdpoint agent, DemoSettings settings, DemoEffects effects) {
        this.agent = agent;
        this.settings = settings;
        this.effects = effects;
        this.site = new SiteGuard(settings.hosts(), "HOSTS=%s");
    }

    void addTo(RoutesConfig routes) {
        routes.before("/demo/*", this::requireSite);
        routes.get("/demo/me", this::me);
        routes.get("/demo/effects", ctx -> known(ctx, (caller, known) -> effects(known)));
        routes.get("/demo/mails", ctx -> known(ctx, this::mails));
        routes.get("/demo/audit", ctx -> known(ctx, this::audit));
        routes.get("/demo/grants", ctx -> known(ctx, this::grants));
        routes.delete("/demo/grants/{grantId}", ctx -> known(ctx, this::revoke));
        routes.post(
                "/demo/crash", ctx -> known(ctx, (caller, known) -> new DemoCrash(settings, effects).handle(known)));
    }

    /** Keeps pages of other sites out, as the agent's own routes do. */
    private void requireSite(Context ctx) {
        String host = Optional.ofNullable(ctx.host()).orElseGet(() -> ctx.req().getServerName());
        boolean checksHost = settings.callers() == Authenticator.NONE;
        Optional<String> why =
                checksHost ? site.refuseHost(host, ctx.req().getLocalAddr(), settings.host()) : Optional.empty();
        why.or(() -> site.refuseOrigin(
                        host,
                        Optional.ofNullable(ctx.header(Header.ORIGIN)),
                        Optional.ofNullable(ctx.header("Sec-Fetch-Site")),
                        false))
                .ifPresent(refused -> {
                    message(ctx, HttpStatus.FORBIDDEN, refused);
                    ctx.skipRemainingHandlers();
                });
    }

    /** Who is asking, if that is known, and whether they have to say so. */
    private void me(Context ctx) {
        ObjectNode me = AguiCodec.mapper().createObjectNode();
        settings.callers().authenticate(ctx).ifPresent(caller -> {
            ObjectNode known = me.putObject("caller").put("id", caller.id());
            caller.roles().stream().sorted().forEach(known.putArray("roles")::add);
        });
        me.put("signIn", settings.callers() != Authenticator.NONE);
        if (me.has("caller") && settings.callers() != Authenticator.NONE) {
            String own = me.at("/caller/id").asText();
            ArrayNode others = me.putArray("people");
            settings.people().stream()
                    .map(Caller::id)
                    .filter(id -> !id.equals(own))
                    .sorted()
                    .forEach(others::add);
        }
        me.put("undo", settings.undo().toSeconds());
        me.put("crash", DemoCrash.isPossible(ctx, settings));
        json(ctx, me);
    }

    /** The effects of everybody. */
    private void effects(Context ctx) {
        ArrayNode all = AguiCodec.mapper().createArrayNode();
        effects.all().forEach(effect -> {
            ObjectNode node = all.addObject().put("tool", effect.tool());
            node.set("args", effect.args());
            node.set("properties", LABELS.getOrDefault(effect.tool(), NOTHING));
            node.put("toolCallId", effect.toolCallId()).put("at", effect.at().toString());
        });
        json(ctx, all);
    }

    private static ObjectNode labels(ToolSpecification tool) {
        ObjectNode labels = AguiCodec.mapper().createObjectNode();
        tool.parameters().properties().forEach((name, schema) -> labels.putObject(name)
                .put("description", schema.description()));
        return labels;
    }

    /** What a notifier would send to the caller now. Nothing leaves this machine, so links begin with a path. */
    private void mails(Caller caller, Context ctx) {
        ArrayNode all = AguiCodec.mapper().createArrayNode();
        Holdpoint mine = agent.as(caller);
        Follow.of(mine)
                .inbox(Inbox.Scope.ACCESSIBLE, Optional.empty(), Inbox.MAX_THREADS)
                .items()
                .forEach(item -> Reach.of(mine)
                        .link(item.threadId(), item.interrupt().id(), caller.id())
                        .ifPresent(link -> all.addObject()
                                .put("subject", subject(item.interrupt(), caller))
                                .put("link", link.getRawPath())));
        json(ctx, all);
    }

    /** What somebody has handed to the caller, or to a group of the caller's, says so. */
    private static String subject(PendingInterrupt asked, Caller caller) {
        JsonNode handed =
                AguiCodec.mapper().valueToTree(asked.interrupt().metadata()).at("/langchain4j/handed");
        boolean isHanded = handed.path("to").asText().equals(caller.id())
                || caller.roles().contains(handed.path("audience").asText());
        return (isHanded ? "Handed to you: " : "") + asked.message();
    }

    private void audit(Caller caller, Context ctx) {
        ArrayNode all = AguiCodec.mapper().createArrayNode();
        List<AuditEvent> page;
        do {
            page = agent.as(caller).auditTrail(threadId(ctx), all.size(), AUDIT_PAGE);
            page.forEach(event -> {
                ObjectNode node = all.addObject();
                node.put("at", event.at().toString());
                node.put("kind", event.kind().name());
                node.put("caller", event.caller());
                node.put("runId", event.runId());
                event.toolCallId().ifPresent(id -> node.put("toolCallId", id));
                event.toolName().ifPresent(name -> node.put("toolName", name));
                event.interruptId().ifPresent(id -> node.put("interruptId", id));
                node.set("detail", event.detail());
            });
        } while (page.size() == AUDIT_PAGE);
        json(ctx, all);
    }

    private void grants(Caller caller, Context ctx) {
        ArrayNode all = AguiCodec.mapper().createArrayNode();
        agent.as(caller).grants(threadId(ctx)).forEach(grant -> all.addObject()
                .put("id", grant.id())
                .put("scope", grant.scope().wireName())
                .put("tool", grant.approved().toolName())
                .put("toolCallId", grant.approved().toolCallId())
                .put("grantedBy", grant.grantedBy())
                .put("expiresAt", grant.expiresAt().toString()));
        json(ctx, all);
    }

    /** 204, or 404 whatever it is that does not exist. */
    private void revoke(Caller caller, Context ctx) {
        if (agent.as(caller).revoke(threadId(ctx), ctx.pathParam("grantId"))) {
            ctx.status(HttpStatus.NO_CONTENT);
        } else {
            message(ctx, HttpStatus.NOT_FOUND, "There is no such grant.");
        }
    }

    private void known(Context ctx, BiConsumer<Caller, Context> handler) {
        Optional<Caller> caller = settings.callers().authenticate(ctx);
        if (caller.isPresent()) {
            handler.accept(caller.get(), ctx);
        } else {
            ctx.header(Header.WWW_AUTHENTICATE, settings.callers().challenge());
            message(ctx, HttpStatus.UNAUTHORIZED, "Authentication required.");
        }
    }

    private static String threadId(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("threadId")).orElse("");
    }

    static void message(Context ctx, HttpStatus status, String message) {
        ctx.status(status);
        json(ctx, AguiCodec.mapper().createObjectNode().put("message", message));
    }

    private static void json(Context ctx, JsonNode body) {
        ctx.contentType(ContentType.APPLICATION_JSON).result(AguiCodec.write(body));
    }
}
