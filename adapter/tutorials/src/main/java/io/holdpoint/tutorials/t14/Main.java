package io.holdpoint.tutorials.t14;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Reach;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.tutorials.t14.ApprovalMail.Person;
import io.javalin.Javalin;
import jakarta.mail.Authenticator;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/** Tutorial 14: an approver is asked by mail, decides by the link in it, and is told what came of it. */
public final class Main {

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(PrintStream out) {

        @Tool("Pay an invoice")
        String pay(String invoice, int amount) {
            out.println("  (pay runs: " + invoice + ", " + amount + ")");
            return "paid";
        }
    }

    public static void main(String[] args) throws Exception {
        if (System.getenv("SMTP_HOST") == null) {
            run(8080, System.out);
            return;
        }
        Person grace = new Person("grace", System.getenv("MAIL_TO"));
        Javalin server = start(8080, mail(yours(), grace), System.out);
        System.out.println("Look into your mailbox. Enter ends the program.");
        System.in.read();
        server.stop();
    }

    private static ApprovalMail mail(Session smtp, Person grace) {
        return new ApprovalMail(smtp, Map.of("treasury", List.of(grace)), ConcurrentHashMap.newKeySet());
    }

    // readme
    private static Session yours() {
        Properties smtp = new Properties();
        smtp.put("mail.smtp.host", System.getenv("SMTP_HOST"));
        smtp.put("mail.smtp.port", "587");
        smtp.put("mail.smtp.auth", "true");
        smtp.put("mail.smtp.starttls.required", "true");
        smtp.put("mail.smtp.connectiontimeout", "10000"); // milliseconds; without these it waits for ever
        smtp.put("mail.smtp.timeout", "10000");
        smtp.put("mail.smtp.writetimeout", "10000");
        return Session.getInstance(smtp, new Authenticator() {

            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(System.getenv("SMTP_USER"), System.getenv("SMTP_PASSWORD"));
            }
        });
    }
    // end

    /** Ada asks the agent to pay an invoice. */
    static Javalin start(int port, ApprovalNotifier mail, PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("call_1", "pay", "{\"invoice\":\"R-7\",\"amount\":9000}"))
                .says("Invoice R-7 is paid.");
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret); // in your application, one that all servers know
        // readme
        Map<String, Caller> directory = Map.of("grace", Caller.of("grace", "treasury"));
        Links links = Links.signed(URI.create("http://127.0.0.1:" + port + "/agent"), Links.Key.of("2026-11", secret));
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(out))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("treasury")))
                .toolPolicies(ToolPolicy.named("pay")
                        .message("Pay invoice {{invoice}}, {{amount}} euros?")
                        .approvals(Approvals.of(1).by(Audience.role("treasury")))
                        .decideByLink())
                .people(person -> Optional.ofNullable(directory.get(person)))
                .with(Reach.links(links), Reach.notifier("treasury-mail", mail))
                .build();
        // end
        Javalin server = Javalin.create(config -> config.registerPlugin(
                        new AgUiPlugin(agui -> agui.agent(agent).path("/agent"))))
                .start("127.0.0.1", port);
        agent.as(Caller.of("ada")).send("thread-1", "Pay invoice R-7");
        return server;
    }

    public static void run(int port, PrintStream out) throws Exception {
        GreenMail mailServer = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mailServer.start();
        Session smtp = mailServer.getSmtp().createSession();
        Javalin server = start(port, mail(smtp, new Person("grace", "grace@example.com")), out);
        try {
            String asked = printed(mailServer, 1, out);
            URI link = URI.create(asked.replaceAll("(?s).*Decide: (\\S+).*", "$1"));

            // readme
            HttpRequest opened = HttpRequest.newBuilder(link).build();
            HttpRequest pressed = HttpRequest.newBuilder(link)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString("decision=approve"))
                    .build();
            out.println("A mail scanner opens the link: " + title(opened));
            out.println("Grace opens it:                " + title(opened));
            out.println("Grace presses Approve.");
            title(pressed);
            // end

            printed(mailServer, 2, out);
            out.println("Grace opens it again:          " + title(opened));
        } finally {
            server.stop();
            mailServer.stop();
        }
    }

    private static String title(HttpRequest request) throws IOException, InterruptedException {
        String page = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        return page.replaceAll("(?s).*<title>(.*)</title>.*", "$1");
    }

    private static String printed(GreenMail mailServer, int number, PrintStream out) throws Exception {
        if (!mailServer.waitForIncomingEmail(60_000, number)) {
            throw new IllegalStateException("no mail has come");
        }
        MimeMessage mail = mailServer.getReceivedMessages()[number - 1];
        String text = mail.getContent().toString().replace("\r\n", "\n").strip();
        out.println("To:      " + mail.getRecipients(RecipientType.TO)[0]);
        out.println("Subject: " + mail.getSubject());
        out.println(text.indent(4));
        return text;
    }
}
