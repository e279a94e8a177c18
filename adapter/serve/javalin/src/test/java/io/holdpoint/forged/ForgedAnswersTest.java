package io.holdpoint.forged;

class ForgedAnswersTest extends ForgedAnswers {

    ForgedAnswersTest() {
        super(Client.Java::new);
    }
}
