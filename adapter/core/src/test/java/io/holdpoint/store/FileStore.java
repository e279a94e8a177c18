package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.agui.Message;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A store in a file, for one process: it has everything in memory, writes each call that has changed something as a line, and makes these calls
 * again when it is opened. It shows what a store has to be, and that the contract is enough to make one.
 */
final class FileStore implements AutoCloseable {

    private static final Set<String> CHANGING = Set.of(
            "acquire", "acquireOwn", "renew", "release", "requestCancel", "say", "commit", "purge", "audit", "halt");

    private record Line(String agent, String method, JsonNode arguments) {}

    private final InMemoryStore memory = new InMemoryStore();
    private final FileChannel file;

    private FileStore(Path path) throws IOException, ReflectiveOperationException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        for (String line : Files.readAllLines(path)) {
            again(RecordJson.read(line, Line.class));
        }
    }

    /** A store in the file, with all that it had when it was closed. */
    static FileStore open(Path path) {
        try {
            return new FileStore(path);
        } catch (IOException | ReflectiveOperationException e) {
            throw new StoreException("cannot open " + path, e);
        }
    }

    Store store() {
        return of("");
    }

    private Store of(String agent) {
        Store agents = agent.isEmpty() ? memory : memory.of(agent);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (self, method, arguments) -> method.getName().equals("of")
                        ? of((String) arguments[0])
                        : call(agents, agent, method, arguments == null ? new Object[0] : arguments));
    }

    private synchronized Object call(Store store, String agent, Method method, Object[] arguments) throws Throwable {
        Object result;
        try {
            result = method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (CHANGING.contains(method.getName())) {
            write(RecordJson.write(line(agent, method, arguments)));
        }
        return result;
    }

    private void write(String line) {
        try {
            file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII)));
            file.force(false);
        } catch (IOException e) {
            throw new StoreException("cannot write: open the file again", e);
        }
    }

    private static Line line(String agent, Method method, Object[] arguments) {
        return new Line(agent, method.getName(), written(Arrays.asList(arguments)));
    }

    private void again(Line line) throws ReflectiveOperationException {
        Method method = Arrays.stream(Store.class.getMethods())
                .filter(each -> each.getName().equals(line.method) && each.getParameterCount() == line.arguments.size())
                .findFirst()
                .orElseThrow();
        method.invoke(
                line.agent.isEmpty() ? memory : memory.of(line.agent),
                read(line.arguments, method.getGenericParameterTypes()));
    }

    /** Lists, what may be missing, and the parts of a commit one by one, with what is no part of what is kept of them; {@link RecordJson} the rest. */
    private static JsonNode written(Object value) {
        ArrayNode parts = JsonNodeFactory.instance.arrayNode();
        if (value instanceof Collection<?> list) {
            list.forEach(each -> parts.add(written(each)));
            return parts;
        } else if (value instanceof Optional<?> optional) {
            optional.ifPresent(each -> parts.add(written(each)));
            return parts;
        } else if (!isInParts(value.getClass())) {
            return RecordJson.read(RecordJson.write(value), JsonNode.class);
        }
        parts.add(value.getClass().getName());
        for (RecordComponent part : value.getClass().getRecordComponents()) {
            try {
                parts.add(written(part.getAccessor().invoke(value)));
            } catch (ReflectiveOperationException e) {
                throw new StoreException("cannot be written: " + part, e);
            }
        }
        return parts;
    }

    private static boolean isInParts(Class<?> type) {
        return Stream.of(Commit.class, Batch.class, Change.class, Commit.TurnChange.class)
                .anyMatch(each -> each.isAssignableFrom(type));
    }

    private static Object read(JsonNode written, Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) {
            List<Object> list = new ArrayList<>();
            for (JsonNode each : written) {
                list.add(read(each, generic.getActualTypeArguments()[0]));
            }
            return generic.getRawType() == Optional.class ? list.stream().findFirst() : list;
        } else if (type == Message.Assistant.class) {
            return RecordJson.read(written.toString(), Message.class);
        } else if (!isInParts((Class<?>) type)) {
            return RecordJson.read(
                    written.toString(),
                    MethodType.methodType((Class<?>) type).wrap().returnType());
        }
        Class<?> made = Class.forName(written.get(0).textValue());
        RecordComponent[] parts = made.getRecordComponents();
        Object[] values = read(
                written, Stream.of(parts).map(RecordComponent::getGenericType).toArray(Type[]::new));
        Constructor<?> constructor = made.getDeclaredConstructor(
                Stream.of(parts).map(RecordComponent::getType).toArray(Class[]::new));
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    /** The last ones of what is written. */
    private static Object[] read(JsonNode written, Type[] types) throws ReflectiveOperationException {
        Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(written.get(written.size() - values.length + i), types[i]);
        }
        return values;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new StoreException("cannot close", e);
        }
    }
}
