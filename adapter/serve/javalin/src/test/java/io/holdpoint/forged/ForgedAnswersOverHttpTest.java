package io.holdpoint.forged;

class ForgedAnswersOverHttpTest extends ForgedAnswers {

    ForgedAnswersOverHttpTest() {
        super(Client.Http::new);
    }
}
