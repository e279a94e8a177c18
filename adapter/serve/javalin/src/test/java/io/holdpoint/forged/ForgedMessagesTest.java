package io.holdpoint.forged;

class ForgedMessagesTest extends ForgedMessages {

    ForgedMessagesTest() {
        super(Client.Java::new);
    }
}
