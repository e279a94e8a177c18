package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ToolCallContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A small address book. Looking something up in it harms nobody, so nobody is asked. Thread-safe. */
public final class ContactTools {

    private static final List<String> CONTACTS =
            List.of("Ada Lovelace <ada@example.com>", "Bob Noyce <bob@example.com>", "Carol Shaw <carol@example.com>");

    private final DemoEffects effects;

    /**
     * Opens the address book.
     *
     * @param effects where a search is written down
     */
    public ContactTools(DemoEffects effects) {
        this.effects = effects;
    }

    /**
     * Finds contacts.
     *
     * @param query words that must all appear in the name or the address, in any case and order
     * @param call says which tool call this is
     * @return one contact per line as {@code Name <address>}, or a sentence that there is none
     */
    @Tool("Search the address book for people and their email addresses")
    public String searchContacts(@P("name or part of a name or address") String query, ToolCallContext call) {
        effects.add("searchContacts", ToolCalls.args().put("query", query), ToolCalls.id(call));
        List<String> words = List.of(query.strip().toLowerCase(Locale.ROOT).split("\\s+"));
        String found = CONTACTS.stream()
                .filter(contact -> words.stream().allMatch(contact.toLowerCase(Locale.ROOT)::contains))
                .collect(Collectors.joining("\n"));
        return found.isEmpty() ? "No contact matches '" + query + "'." : found;
    }
}
