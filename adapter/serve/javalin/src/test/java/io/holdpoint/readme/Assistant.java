package io.holdpoint.readme;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import java.util.List;

// readme
interface Assistant {

    TokenStream chat(@UserMessage List<Content> message);
}
// end
