package io.holdpoint.spring;

import dev.langchain4j.service.IllegalConfigurationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Shows what to write into the POM where another dependency has brought a LangChain4j that is too old. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class OldLangChain4jAnalyzer extends AbstractFailureAnalyzer<IllegalConfigurationException> {

    private static final Pattern OLD = Pattern.compile("(Holdpoint needs LangChain4j (\\S+) or newer, .*?\\))\\..*");

    private static final String REMEDY = """
            Set the version in the POM, which wins over those of all dependencies (with Gradle: constraints, or a platform):

                <dependencyManagement>
                    <dependencies>
                        <dependency>
                            <groupId>dev.langchain4j</groupId>
                            <artifactId>langchain4j</artifactId>
                            <version>%1$s</version>
                        </dependency>
                        <dependency>
                            <groupId>dev.langchain4j</groupId>
                            <artifactId>langchain4j-core</artifactId>
                            <version>%1$s</version>
                        </dependency>
                    </dependencies>
                </dependencyManagement>

            mvn dependency:tree -Dincludes=dev.langchain4j shows which dependency asks for the older one. LangChain4j's own \
            langchain4j-spring-boot-starter, where it is declared before Holdpoint's, is such a one: Holdpoint's takes its place.""";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, IllegalConfigurationException cause) {
        Matcher old = OLD.matcher(String.valueOf(cause.getMessage()));
        return old.matches() ? new FailureAnalysis(old.group(1) + ".", REMEDY.formatted(old.group(2)), cause) : null;
    }
}
