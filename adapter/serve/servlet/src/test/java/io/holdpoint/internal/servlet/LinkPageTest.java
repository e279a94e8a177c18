package io.holdpoint.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page behind a link beside the card: whoever decides is warned of the same letters. */
class LinkPageTest {

    @Test
    void theLettersThatLookLikeOthersAreThoseOfTheCard() throws Exception {
        String card = Files.readString(Path.of("..", "..", "card", "src", "kit.js"));
        String letters = Pattern.compile("const ALIKE =\\s*/(.*)/u;")
                .matcher(card)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
        assertThat(LinkPage.ALIKE.pattern()).isEqualTo(letters.replace("\\u{", "\\x{"));
    }
}
