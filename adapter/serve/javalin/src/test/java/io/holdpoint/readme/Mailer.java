package io.holdpoint.readme;

/** Whatever sends mail in the reader's application. */
interface Mailer {

    void send(String to, String subject, String body);
}
