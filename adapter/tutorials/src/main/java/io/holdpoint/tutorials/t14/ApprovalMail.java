package io.holdpoint.tutorials.t14;

import io.holdpoint.Audience;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Notice;
import io.holdpoint.reach.PlainText;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells people by mail: what would run and a link to decide, and afterwards what came of it.
 *
 * @param people the people of each role
 * @param sent the ids of the mails that were sent; in your application, a table
 */
record ApprovalMail(Session smtp, Map<String, List<Person>> people, Set<String> sent) implements ApprovalNotifier {

    record Person(String id, String address) {}

    // readme
    @Override
    public void tell(Notice notice) throws MessagingException {
        Map<Person, Set<Notice.Question>> mails = new LinkedHashMap<>();
        for (Notice.Question question : notice.questions()) {
            for (Audience role : question.audiences()) {
                people.getOrDefault(role.name(), List.of())
                        .forEach(person -> mails.computeIfAbsent(person, added -> new LinkedHashSet<>())
                                .add(question));
            }
        }
        for (Person person : mails.keySet()) {
            String id = "<" + notice.id() + "." + person.id() + "@agents.example.com>";
            if (!sent.contains(id)) { // a notice that comes again has the same id
                Transport.send(mail(id, person, notice.kind(), mails.get(person)));
                sent.add(id);
            }
        }
    }
    // end

    // readme
    private MimeMessage mail(String id, Person person, Notice.Kind kind, Set<Notice.Question> questions)
            throws MessagingException {
        MimeMessage mail = new MimeMessage(smtp) {

            @Override
            protected void updateMessageID() throws MessagingException {
                setHeader("Message-ID", id); // many mailboxes show a mail once that comes again after a crash
            }
        };
        PendingInterrupt first = questions.iterator().next().item().interrupt();
        mail.setFrom("agent@example.com");
        mail.setRecipients(Message.RecipientType.TO, person.address());
        mail.setSubject((kind == Notice.Kind.ASKED ? "" : "Re: ") + PlainText.of(first.message()), "UTF-8");
        mail.setHeader("References", "<" + first.id() + "@agents.example.com>"); // one conversation
        StringBuilder text = new StringBuilder();
        for (Notice.Question question : questions) {
            PendingInterrupt asked = question.item().interrupt();
            text.append(PlainText.of(asked.message())).append('\n');
            text.append(PlainText.ofArguments(asked)).append('\n');
            question.outcome()
                    .ifPresentOrElse(outcome -> text.append(outcome.sentence()), () -> question.link(person.id())
                            .ifPresent(link -> text.append("Decide: ").append(link)));
            text.append("\n\n");
        }
        mail.setText(text.toString(), StandardCharsets.UTF_8.name());
        return mail;
    }
    // end
}
