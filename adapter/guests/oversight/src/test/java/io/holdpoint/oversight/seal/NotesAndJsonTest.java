package io.holdpoint.oversight.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Signed notes as Go's checksum database has them, and canonical JSON as RFC 8785 has it. */
class NotesAndJsonTest {

    /** The example of golang.org/x/mod/sumdb/note. */
    private static final String GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

    private static final String GO_NOTE =
            "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
                    + "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    @Test
    void aNoteThatGoHasSignedIsRead() {
        SignedNote note = SignedNote.parse(GO_NOTE);

        assertThat(note.isSignedBy(GO_KEY)).isTrue();
        assertThat(note.toString()).isEqualTo(GO_NOTE);
        assertThat(SignedNote.parse(GO_NOTE.replace("answer", "answers")).isSignedBy(GO_KEY))
                .isFalse();
    }

    @Test
    void anyCharacterOfASignatureCounts() {
        int from = GO_NOTE.indexOf(" x08go") + 1;
        for (int i = from; i < GO_NOTE.length() - 1; i++) {
            char other = GO_NOTE.charAt(i) == 'A' ? 'B' : (char) (GO_NOTE.charAt(i) ^ 1);
            String changed = GO_NOTE.substring(0, i) + other + GO_NOTE.substring(i + 1);
            assertThat(SignedNote.parse(changed).isSignedBy(GO_KEY)).as(changed).isFalse();
        }
    }

    @Test
    void whatIsNoNoteNoKeyOrNoCheckpointIsRefused() throws Exception {
        for (String text : List.of("", "a\n", "a\n\nb\n", "a\n\n\u2014 b\n", GO_NOTE.strip(), GO_NOTE + "\n")) {
            assertThatIllegalArgumentException().isThrownBy(() -> SignedNote.parse(text));
        }
        SignedNote note = SignedNote.parse(GO_NOTE);
        for (String key :
                List.of("", "a+b", GO_KEY.replace("c74f", "c74e"), GO_KEY.substring(0, 40), "P+c74f20a3+AQ==")) {
            assertThatIllegalArgumentException().isThrownBy(() -> note.isSignedBy(key));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> note.signedBy("a b", SealedTrailTest.newKey()));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        note.signedBy("a", KeyPairGenerator.getInstance("EC").generateKeyPair()));
        assertThatIllegalArgumentException().isThrownBy(() -> Checkpoint.parse(GO_NOTE));
        String zero = "A".repeat(43) + "=";
        String sign = "\n\u2014 b c\n";
        assertThat(Checkpoint.parse("o\n0\n" + zero + "\n" + sign).head()).isEqualTo(SealedLine.NONE);
        for (String text : List.of("o\n-1\n" + zero, "o\n00\n" + zero, "o\n0\n" + zero + "\nmore", "o\n0\nAA==")) {
            assertThatIllegalArgumentException().isThrownBy(() -> Checkpoint.parse(text + "\n" + sign));
        }
    }

    /** RFC 8785, 3.2.2 and 3.2.3, without its numbers with fractions. */
    @Test
    void textsAndNamesAreAsInTheRfc() throws JsonProcessingException {
        String json =
                "{\"string\":\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\", \"literals\":[null, true,\n false]}";
        assertThat(canonical(json))
                .isEqualTo("{\"literals\":[null,true,false],\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
        String names =
                "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}";
        assertThat(canonical(names))
                .isEqualTo(
                        "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\ud83d\ude00\":5,\"\ufb33\":3}");
        assertThat(canonical("[ { } , [ ] ]")).isEqualTo("[{},[]]");
    }

    @Test
    void numbersKeepTheirDigits() throws JsonProcessingException {
        String digits = "1".repeat(3000);
        assertThat(canonical("[19.90,0.10,-0,1E+5,9007199254740993," + digits + "]"))
                .isEqualTo("[19.90,0.10,0,1E+5,9007199254740993," + digits + "]");
    }

    @Property
    void whateverTextsHoldTheyAreReadAsTheyWereWritten(@ForAll String name, @ForAll List<Character> characters)
            throws JsonProcessingException {
        StringBuilder text = new StringBuilder(name);
        characters.forEach(text::append); // halves of pairs too
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put(text.toString(), text.append('\ud83d').toString());

        String written = new String(CanonicalJson.write(json), StandardCharsets.UTF_8);

        assertThat(CanonicalJson.read(written)).isEqualTo(json);
        assertThat(canonical(written)).isEqualTo(written);
    }

    private static String canonical(String json) throws JsonProcessingException {
        return new String(CanonicalJson.write(CanonicalJson.read(json)), StandardCharsets.UTF_8);
    }
}
