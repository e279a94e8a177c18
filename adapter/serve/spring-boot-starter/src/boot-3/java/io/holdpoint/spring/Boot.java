package io.holdpoint.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.ServletWebServerFactoryAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.web.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.web.context.ConfigurableWebApplicationContext;

/** What Spring Boot 3.5 calls its own configuration of a web server and a database. */
final class Boot {

    static final AutoConfigurations TOMCAT = AutoConfigurations.of(
            ServletWebServerFactoryAutoConfiguration.class,
            DispatcherServletAutoConfiguration.class,
            WebMvcAutoConfiguration.class);

    static final AutoConfigurations DATA_SOURCE = AutoConfigurations.of(DataSourceAutoConfiguration.class);

    private Boot() {}

    static ConfigurableWebApplicationContext context() {
        return new AnnotationConfigServletWebServerApplicationContext();
    }

    static int port(AssertableWebApplicationContext context) {
        return context.getSourceApplicationContext(AnnotationConfigServletWebServerApplicationContext.class)
                .getWebServer()
                .getPort();
    }
}
