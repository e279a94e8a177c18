package io.holdpoint.forged;

class ForgedMessagesOverHttpTest extends ForgedMessages {

    ForgedMessagesOverHttpTest() {
        super(Client.Http::new);
    }
}
