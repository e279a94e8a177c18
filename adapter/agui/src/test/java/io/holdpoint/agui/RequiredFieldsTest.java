package io.holdpoint.agui;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an application makes in Java passes no reader: it is refused where it is made, by the name of what it lacks. */
class RequiredFieldsTest {

    static Stream<Arguments> required() {
        MessageContent said = MessageContent.text("Hi");
        PartSource.Data picture = new PartSource.Data("aGk=", "image/png");
        return Stream.<Record>of(
                        ResumeEntry.cancelled("i"),
                        new Interrupt("i", "tool_call", null, null, null, null, null),
                        new ContextEntry("where", "here"),
                        new ClientToolSpec("tool", "does it", null, null),
                        new ToolCall("c", "tool", "{}"),
                        new Message.User("m", said),
                        new Message.Tool("m", "c", said, null),
                        new Message.System("m", "be kind"),
                        new Message.Developer("m", "be brief"),
                        new Message.Activity("m", "progress", JsonNodeFactory.instance.objectNode()),
                        new Message.Reasoning("m", "because"),
                        new ContentPart.Text("Hi", null, null),
                        new ContentPart.Media(ContentPart.Media.Kind.IMAGE, picture, null, null),
                        picture,
                        new PartSource.Url("https://example.org/a.png", null),
                        new PartSource.File("file-1", null, null))
                .flatMap(RequiredFieldsTest::each);
    }

    private static Stream<Arguments> each(Record whole) {
        return Arrays.stream(whole.getClass().getRecordComponents())
                .filter(component -> !component.getAnnotatedType().isAnnotationPresent(Nullable.class))
                .map(component ->
                        Arguments.of(whole.getClass().getSimpleName() + "." + component.getName(), whole, component));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("required")
    void isRefusedByItsName(String field, Record whole, RecordComponent missing) throws Exception {
        RecordComponent[] components = whole.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = components[i].getName().equals(missing.getName())
                    ? null
                    : components[i].getAccessor().invoke(whole);
        }
        Constructor<?> canonical = whole.getClass()
                .getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));

        assertThatThrownBy(() -> canonical.newInstance(values))
                .cause()
                .isInstanceOf(NullPointerException.class)
                .hasMessage(missing.getName());
    }
}
