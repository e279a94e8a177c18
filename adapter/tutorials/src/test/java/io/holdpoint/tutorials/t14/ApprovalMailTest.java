package io.holdpoint.tutorials.t14;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Holdpoint;
import io.holdpoint.ToolPolicy;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.Reach;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.tutorials.t14.ApprovalMail.Person;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The notifier of tutorial 14, against a mail server. */
class ApprovalMailTest {

    private final GreenMail mailServer = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

    @BeforeEach
    void start() {
        mailServer.start();
    }

    @AfterEach
    void stop() {
        mailServer.stop();
    }

    private ApprovalMail mail(String... addresses) {
        List<Person> people = List.of(addresses).stream()
                .map(address -> new Person(address.replaceAll("@.*", ""), address))
                .toList();
        return new ApprovalMail(mailServer.getSmtp().createSession(), Map.of("treasury", people), new HashSet<>());
    }

    private static Notice asked(String invoice) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("c1", "pay", "{\"invoice\":\"" + invoice + "\",\"amount\":9000}"));
        List<Notice> notices = new ArrayList<>();
        Holdpoint agent = Holdpoint.builder(Main.Assistant.class)
                .chatModel(model)
                .tools(new Main.Bank(new PrintStream(PrintStream.nullOutputStream())))
                .approvalAuthorizer(ApprovalAuthorizer.role("treasury"))
                .toolPolicies(ToolPolicy.named("pay")
                        .message("Pay {{invoice}}?")
                        .approvals(Approvals.of(1).by(Audience.role("treasury"))))
                .with(Reach.notifier("mail", notices::add))
                .clock(new VirtualClock())
                .build();
        agent.send("thread-1", "Pay");
        agent.actOnTime();
        return notices.get(0);
    }

    @Test
    void aNoticeThatComesAgainIsNoSecondMailAndAfterARestartItHasTheSameId() throws Exception {
        Notice notice = asked("R-7");
        ApprovalMail mail = mail("grace@example.com");
        mail.tell(notice);
        mail.tell(notice);
        assertThat(mailServer.getReceivedMessages()).hasSize(1);

        mail("grace@example.com").tell(notice);
        MimeMessage[] mails = mailServer.getReceivedMessages();
        assertThat(mails).hasSize(2);
        assertThat(mails[1].getMessageID()).isEqualTo(mails[0].getMessageID()).contains(notice.id());
    }

    @Test
    void afterAnAddressThatFailsThoseBeforeItGetNoSecondMail() throws Exception {
        Notice notice = asked("R-7");
        ApprovalMail mail = mail("grace@example.com", "no address");
        assertThatThrownBy(() -> mail.tell(notice)).isInstanceOf(MessagingException.class);
        assertThatThrownBy(() -> mail.tell(notice)).isInstanceOf(MessagingException.class);

        assertThat(mailServer.getReceivedMessages()).hasSize(1);
    }

    @Test
    void anArgumentAddsNoHeader() throws Exception {
        mail("grace@example.com").tell(asked("R-7\\r\\nBcc: eve@example.com"));

        MimeMessage[] mails = mailServer.getReceivedMessages();
        assertThat(mails).hasSize(1);
        assertThat(mails[0].getHeader("Bcc")).isNull();
        assertThat(mails[0].getAllRecipients()).hasSize(1);
        assertThat(mails[0].getSubject()).contains("Bcc: eve@example.com").doesNotContain("\n");
    }
}
