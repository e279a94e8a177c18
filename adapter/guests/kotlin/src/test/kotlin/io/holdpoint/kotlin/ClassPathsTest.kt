package io.holdpoint.kotlin

import dev.langchain4j.agent.tool.Tool
import dev.langchain4j.service.IllegalConfigurationException
import io.holdpoint.Holdpoint
import io.holdpoint.RequiresApproval
import io.holdpoint.test.ScriptedModel
import io.holdpoint.testing.Logs
import java.net.URL
import java.util.Collections
import java.util.Enumeration
import java.util.function.Supplier
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** Without this module, without kotlin-reflect, without Kotlin, with the libraries where a framework's jar and a web application have them. */
@Logs("Another AiServiceContextFactory is in use*") // the one of the tests' own class loader
class ClassPathsTest {

    /** Loads the classes of this library and of these tests again, where some of the class path is missing. */
    private class Without(private val missing: (String) -> Boolean) : ClassLoader(ClassPathsTest::class.java.classLoader) {
        val asked = mutableSetOf<String>()

        override fun loadClass(name: String, resolve: Boolean): Class<*> {
            asked += name
            if (missing(name)) throw ClassNotFoundException(name)
            if (!name.startsWith("io.holdpoint.")) return super.loadClass(name, resolve)
            return findLoadedClass(name) ?: getResourceAsStream(name.replace('.', '/') + ".class")?.use { file ->
                file.readAllBytes().let { defineClass(name, it, 0, it.size) }
            } ?: throw ClassNotFoundException(name)
        }

        override fun getResources(name: String): Enumeration<URL> =
            if (missing(name)) Collections.emptyEnumeration() else super.getResources(name)

        /** What an object of a class says, on a thread that has this class loader, or another. */
        fun says(type: Class<*>, thread: ClassLoader = this): String {
            val before = Thread.currentThread().contextClassLoader
            Thread.currentThread().contextClassLoader = thread
            try {
                val constructor = loadClass(type.name).getDeclaredConstructor()
                return (constructor.newInstance() as Supplier<*>).get().toString()
            } finally {
                Thread.currentThread().contextClassLoader = before
            }
        }
    }

    interface Assistant {
        fun chat(text: String): String
    }

    data class Money(val amount: Int, val currency: String = "EUR")

    interface Greets {
        fun greet(whom: String, times: Int = 2): String = whom.repeat(times)
    }

    class Plain {
        @Tool
        @RequiresApproval
        fun mail(to: String, subject: String?) = "$to $subject"
    }

    class WithDefault {
        @Tool
        @RequiresApproval
        fun mail(to: String, copies: Int = 2) = "$to $copies"
    }

    class OfMoney {
        @Tool
        @RequiresApproval
        fun pay(amounts: List<Money>) = "$amounts"
    }

    class Inherited : Greets {
        @Tool
        @RequiresApproval
        override fun greet(whom: String, times: Int) = whom
    }

    /** The parameters that a model must give, or why the agent is not built. */
    class Built : Supplier<String> {
        override fun get() = listOf(Plain(), WithDefault(), OfMoney(), Inherited()).joinToString("\n") { tools ->
            val model = ScriptedModel().says("Done.")
            try {
                Holdpoint.builder(Assistant::class.java).chatModel(model).tools(tools).build().send("t", "Go")
                model.requests()[0].toolSpecifications()[0].parameters().required().toString()
            } catch (e: IllegalConfigurationException) {
                e.message!!
            }
        }
    }

    private fun module(name: String) = name == "META-INF/services/io.holdpoint.internal.gate.ToolShape"

    @Test
    fun withoutTheModuleToolsAreRefused() {
        val built = Without { module(it) }.says(Built::class.java).lines()

        assertThat(built).hasSize(4).allSatisfy { assertThat(it).contains("io.holdpoint:holdpoint-kotlin") }
        assertThat(built[0]).contains("ClassPathsTest\$Plain.mail()")
        assertThat(built[3]).contains("ClassPathsTest\$Inherited.greet()")
    }

    @Test
    fun withTheModuleTheyAreBuilt() {
        assertThat(Without { false }.says(Built::class.java)).isEqualTo("[to]\n[to]\n[amounts]\n[whom]")
    }

    @Test
    fun theModuleIsFoundWhereTheLibraryIsWhateverTheThreadKnows() {
        val withModule = Without { false }

        assertThat(withModule.says(Built::class.java, ClassLoader.getPlatformClassLoader())).isEqualTo("[to]\n[to]\n[amounts]\n[whom]")
    }

    @Test
    fun withoutKotlinReflectEachParameterIsNeeded() {
        val without = Without { it.startsWith("kotlin.reflect.jvm.") || it.startsWith("kotlin.reflect.full.") }

        assertThat(without.says(Built::class.java).lines()).startsWith("[to, subject]", "[to, copies]")
    }

    @Test
    fun withoutKotlinNoClassOfItIsLookedFor() {
        val without = Without { it.startsWith("kotlin.") }

        assertThat(without.says(JavaTools::class.java)).isEqualTo("""{"to":"ada"}""")
        assertThat(without.asked).noneMatch { it.startsWith("kotlin.") }.noneMatch { it.startsWith("io.holdpoint.internal.kotlin.") }
    }
}
