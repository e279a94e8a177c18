package io.holdpoint.internal.aiservice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.testing.Logs;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The probe against LangChain4j's whose loop was changed: each conditional jump of the classes that it consists of the other way round,
 * each call without a result left out, and with one method under another name wherever it is called. Whatever the change is, no agent is built, or the gate holds.
 */
@Logs("Tool '*' execution failed")
class LoopProbeTest {

    private static final List<String> LOOP = List.of(
            "dev.langchain4j.service.tool.ToolService",
            "dev.langchain4j.service.tool.ToolServiceContext",
            "dev.langchain4j.service.tool.ToolServiceContext$Builder",
            "dev.langchain4j.service.DefaultAiServices$1",
            "dev.langchain4j.service.AiServiceTokenStream",
            "dev.langchain4j.service.AiServiceStreamingResponseHandler");

    /** Packages that know of the loop: each mutant has its own, and shares the others. */
    private static final List<String> OWN = List.of(
            "dev.langchain4j.service.",
            "dev.langchain4j.memory.chat.",
            "dev.langchain4j.spi.services.",
            "dev.langchain4j.chain.",
            "dev.langchain4j.agentic.",
            "dev.langchain4j.mcp.",
            "io.holdpoint.");

    /** The classes that were read: a mutant has hundreds. */
    private static final Map<String, byte[]> CODE = new ConcurrentHashMap<>();

    private static final long SECONDS = 60;

    /** Other versions of LangChain4j than the first take so much less of the mutants. */
    private static final int OF = Boolean.getBoolean("holdpoint.short") ? 5 : 1;

    /** A place in the code of a class, in the order in which it is read, or a method of it by another name. */
    private record Mutation(String type, int place, String renamed) {}

    @Test
    void theLoopThatIsThereIsGated() throws Exception {
        assertThat(end(new Mutation("none", 0, ""))).isEqualTo("held");
    }

    @Test
    void aLoopThatMakesItsListOfToolsInAnotherMethodIsRefused() throws Exception {
        assertThat(end(new Mutation(LOOP.get(0), -1, "createContext"))).isEqualTo("refused");
    }

    @Test
    @Tag("deep")
    void changedLoopsAreRefusedOrHarmless() throws Exception {
        List<Mutation> changes = changes();
        Collections.shuffle(changes, new Random(1));

        Map<String, Integer> ends = ends(changes.subList(0, 50 / OF));

        assertThat(ends.keySet()).contains("refused", "held");
    }

    @Test
    @Tag("deep")
    void loopsWithOtherNamesAreRefusedOrHarmless() throws Exception {
        List<Mutation> renamed = new ArrayList<>();
        for (Method method : ToolService.class.getMethods()) {
            if (method.getDeclaringClass() == ToolService.class) {
                renamed.add(new Mutation(LOOP.get(0), -1, method.getName()));
            }
        }
        assertThat(renamed).hasSizeGreaterThan(20);
        renamed.sort(Comparator.comparing(Mutation::renamed));

        assertThat(ends(renamed.subList(0, renamed.size() / OF)).keySet()).contains("refused");
    }

    private static Map<String, Integer> ends(Collection<Mutation> mutations) throws Exception {
        Map<String, Integer> ends = new LinkedHashMap<>();
        for (Mutation mutation : Set.copyOf(mutations)) {
            String end = end(mutation);
            assertThat(end).as(mutation.toString()).isIn("refused", "held", "failed");
            ends.merge(end, 1, Integer::sum);
        }
        return ends;
    }

    private static List<Mutation> changes() throws IOException {
        List<Mutation> all = new ArrayList<>();
        for (String type : LOOP) {
            Mutator counting = new Mutator(new ClassWriter(0), -1);
            new ClassReader(bytes(type)).accept(counting, 0);
            for (int place = 0; place < counting.places; place++) {
                all.add(new Mutation(type, place, ""));
            }
        }
        return all;
    }

    private static byte[] bytes(String type) throws IOException {
        byte[] known = CODE.get(type);
        if (known == null) {
            try (InputStream code = LoopProbeTest.class.getResourceAsStream('/' + type.replace('.', '/') + ".class")) {
                known = code.readAllBytes();
            }
            CODE.put(type, known);
        }
        return known;
    }

    /** What becomes of a gated tool in a LangChain4j with a change. */
    private static String end(Mutation mutation) throws Exception {
        Mutant loader = new Mutant(mutation);
        @SuppressWarnings("unchecked")
        Callable<String> story = (Callable<String>) loader.loadClass(GatedStory.class.getName())
                .getDeclaredConstructor()
                .newInstance();
        FutureTask<String> told = new FutureTask<>(story);
        Thread thread = new Thread(told, "mutant");
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
        return told.get(SECONDS, TimeUnit.SECONDS);
    }

    /** LangChain4j and Holdpoint once more, one of their classes with a change. */
    private static final class Mutant extends ClassLoader {

        private final Mutation mutation;

        Mutant(Mutation mutation) {
            super(LoopProbeTest.class.getClassLoader());
            this.mutation = mutation;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (OWN.stream().noneMatch(name::startsWith) || name.startsWith("io.holdpoint.agui.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try {
                byte[] code = bytes(name);
                if (!mutation.renamed().isEmpty() && name.startsWith("dev.langchain4j.service.")) {
                    ClassWriter writer = new ClassWriter(0);
                    new ClassReader(code).accept(new ClassRemapper(writer, renaming()), 0);
                    code = writer.toByteArray();
                } else if (name.equals(mutation.type())) {
                    ClassReader reader = new ClassReader(code);
                    ClassWriter writer = new ClassWriter(reader, 0);
                    reader.accept(new Mutator(writer, mutation.place()), 0);
                    code = writer.toByteArray();
                }
                return defineClass(name, code, 0, code.length, LoopProbeTest.class.getProtectionDomain());
            } catch (IOException | NullPointerException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        private Remapper renaming() {
            return new Remapper(Opcodes.ASM9) {
                @Override
                public String mapMethodName(String owner, String name, String descriptor) {
                    boolean isIt = owner.equals(mutation.type().replace('.', '/')) && name.equals(mutation.renamed());
                    return isIt ? name + "Differently" : name;
                }
            };
        }
    }

    /** Counts the places that can be changed, and changes one. */
    private static final class Mutator extends ClassVisitor {

        private final int changed;
        private int places;

        Mutator(ClassVisitor next, int changed) {
            super(Opcodes.ASM9, next);
            this.changed = changed;
        }

        private boolean isIt() {
            return places++ == changed;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean says = name.equals("equals") || name.equals("hashCode") || name.equals("toString");
            return says
                    ? next
                    : new MethodVisitor(Opcodes.ASM9, next) {
                        @Override
                        public void visitJumpInsn(int opcode, Label label) {
                            boolean conditional = opcode != Opcodes.GOTO && opcode != Opcodes.JSR;
                            super.visitJumpInsn(conditional && isIt() ? opposite(opcode) : opcode, label);
                        }

                        @Override
                        public void visitMethodInsn(
                                int opcode, String owner, String called, String types, boolean isInterface) {
                            boolean leavable = (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE)
                                    && Type.getReturnType(types) == Type.VOID_TYPE;
                            if (!leavable || !isIt()) {
                                super.visitMethodInsn(opcode, owner, called, types, isInterface);
                                return;
                            }
                            Type[] arguments = Type.getArgumentTypes(types);
                            for (int i = arguments.length - 1; i >= 0; i--) {
                                visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
                            }
                            visitInsn(Opcodes.POP);
                        }
                    };
        }

        private static int opposite(int opcode) {
            return opcode >= Opcodes.IFNULL ? opcode ^ 1 : ((opcode + 1) ^ 1) - 1;
        }
    }
}
