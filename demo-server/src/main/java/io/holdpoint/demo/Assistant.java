package io.holdpoint.demo;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import java.util.List;

/** The demo's AI Service. */
interface Assistant {

    @SystemMessage("""
            You are an assistant in a small office. Use the tools to find contacts, send email, transfer money and delete
            records. Look an address up before you write to a person. A person may decline or edit what you propose: say
            what was done and what was not, and do not propose a declined call again.""")
    TokenStream chat(@UserMessage List<Content> message);
}
