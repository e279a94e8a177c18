package io.holdpoint.tutorials.t10;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import java.nio.file.Path;
import java.util.logging.LogManager;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Tutorial 10: what the text asks the reader to change. */
class StoreTest {

    private static final Caller ADA = Caller.of("ada");

    @TempDir
    private Path folder;

    @Test
    void aQuestionSurvivesARestartOnADataSource() {
        try (ConfigurableApplicationContext application = start()) {
            application
                    .getBean(ScriptedModel.class)
                    .calls(ScriptedModel.call("call_1", "cancelBooking", "{\"bookingNumber\":\"MS-777\"}"));
            application.getBean(Holdpoint.class).as(ADA).send("thread-1", "Please cancel MS-777");
        }

        try (ConfigurableApplicationContext application = start()) {
            assertThat(application.getBean(Holdpoint.class).as(ADA).pending("thread-1"))
                    .singleElement()
                    .satisfies(question -> assertThat(question.message()).contains("MS-777"));
        }
    }

    private ConfigurableApplicationContext start() {
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        LogManager.getLogManager().reset();
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:sqlite:" + folder.resolve("tutorial.db"));
        return new SpringApplicationBuilder(SupportApplication.class)
                .initializers(
                        (GenericApplicationContext context) -> context.registerBean(DataSource.class, () -> database))
                .run("--server.port=0", "--spring.main.banner-mode=off", "--holdpoint.store=jdbc");
    }
}
