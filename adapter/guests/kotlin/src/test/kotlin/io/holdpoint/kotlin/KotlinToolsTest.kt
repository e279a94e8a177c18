package io.holdpoint.kotlin

import dev.langchain4j.agent.tool.Tool
import dev.langchain4j.model.chat.request.json.JsonObjectSchema
import io.holdpoint.Holdpoint
import io.holdpoint.RequiresApproval
import io.holdpoint.test.ScriptedModel
import io.holdpoint.testing.Logs
import java.time.LocalDate
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** Tools that are functions of Kotlin: what may be left out, and what then runs. */
class KotlinToolsTest {

    interface Assistant {
        fun chat(text: String): String
    }

    data class Money(val amount: Int, val currency: String = "EUR", val due: LocalDate = LocalDate.of(2030, 1, 31), val note: String?)

    private class Shy(val effects: MutableList<String>) {

        @Tool
        @RequiresApproval
        fun whisper(text: String = "psst") {
            effects += text
        }
    }

    class Office {
        val effects = mutableListOf<String>()

        @Tool
        @RequiresApproval
        fun mail(to: String, subject: String?, copies: Int = 2, body: String = "Hello $to"): String {
            effects += "$to $subject $copies $body"
            return "sent"
        }

        @Tool
        @RequiresApproval
        fun pay(money: Money) {
            effects += "$money"
        }

        @Tool
        @RequiresApproval
        fun publish(page: String, audience: String? = "everybody", pages: Int = 1) {
            effects += "$page $audience $pages"
        }

        @Tool
        @RequiresApproval
        fun wait(minutes: Int = 5) {
            if (minutes == 5) throw IllegalStateException("five is too long")
            effects += "$minutes"
        }
    }

    private val model = ScriptedModel()
    private val office = Office()
    private val agent = Holdpoint.builder(Assistant::class.java).chatModel(model).tools(office).build()

    private fun held(tool: String, arguments: String) =
        agent.also { model.calls(ScriptedModel.call("c", tool, arguments)).says("Done.") }.send("t", "Go").approval()

    @Test
    fun nullableParametersAndThoseWithADefaultMayBeLeftOut() {
        val question = held("mail", """{"to":"ada"}""")

        val tool = model.requests()[0].toolSpecifications().first { it.name() == "mail" }
        assertThat(tool.parameters().required()).containsExactly("to")
        agent.resume("t", question.approve()).orThrow()
        assertThat(office.effects).containsExactly("ada null 2 Hello ada")
    }

    @Test
    fun whatIsGivenCounts() {
        agent.resume("t", held("mail", """{"to":"ada","subject":"Hi","copies":0}""").approve()).orThrow()

        assertThat(office.effects).containsExactly("ada Hi 0 Hello ada")
    }

    @Test
    fun aNullThatIsShownRunsInsteadOfTheDefault() {
        val question = held("publish", """{"page":"news","audience":null}""")

        assertThat(question.arguments()).hasToString("""{"page":"news","audience":null}""")
        agent.resume("t", question.approve()).orThrow()
        agent.resume("t", held("publish", """{"page":"news","audience":"board","pages":2}""").approveWith(mapOf("page" to "news", "audience" to null, "pages" to 2))).orThrow()
        assertThat(office.effects).containsExactly("news null 1", "news null 2")
    }

    @Test
    fun aNullInPlaceOfADefaultIsLeftOutWhereTheParameterCannotBeNull() {
        val question = held("mail", """{"to":"ada","subject":null,"copies":null,"body":null}""")

        assertThat(question.arguments()).hasToString("""{"to":"ada","subject":null}""")
        agent.resume("t", question.approve()).orThrow()
        assertThat(office.effects).containsExactly("ada null 2 Hello ada")
    }

    @Test
    fun theDefaultsOfADataClassAreShownAndRun() {
        val question = held("pay", """{"money":{"amount":5}}""")

        assertThat(question.arguments()).hasToString("""{"money":{"amount":5,"currency":"EUR","due":"2030-01-31"}}""")
        agent.resume("t", question.approve()).orThrow()
        assertThat(office.effects).containsExactly("Money(amount=5, currency=EUR, due=2030-01-31, note=null)")
        assertThat(model.lastResult("c")).isEqualTo("Success")
    }

    @Test
    fun theFieldsOfADataClassThatMayBeLeftOutAreNotRequired() {
        held("pay", """{"money":{"amount":5}}""")

        val pay = model.requests()[0].toolSpecifications().first { it.name() == "pay" }
        assertThat((pay.parameters().properties()["money"] as JsonObjectSchema).required()).containsExactly("amount")
    }

    @Test
    fun aToolOfAPrivateClassRunsWithItsDefault() {
        val shy = Holdpoint.builder(Assistant::class.java).chatModel(model.calls(ScriptedModel.call("c", "whisper", "{}")).says("Done."))
            .tools(Shy(office.effects)).build()

        shy.resume("t", shy.send("t", "Go").approval().approve()).orThrow()

        assertThat(office.effects).containsExactly("psst")
    }

    @Test
    fun anEditMayLeaveOutADefault() {
        val question = held("pay", """{"money":{"amount":5,"currency":"USD"}}""")

        agent.resume("t", question.approveWith(mapOf("money" to mapOf("amount" to 7)))).orThrow()

        assertThat(office.effects).containsExactly("Money(amount=7, currency=EUR, due=2030-01-31, note=null)")
    }

    @Test
    @Logs("Tool 'wait' execution failed*")
    fun whatAFunctionCalledWithItsDefaultThrowsIsTheToolsError() {
        agent.resume("t", held("wait", "{}").approve())

        assertThat(model.lastResult("c")).contains("five is too long")
        assertThat(office.effects).isEmpty()
    }
}
