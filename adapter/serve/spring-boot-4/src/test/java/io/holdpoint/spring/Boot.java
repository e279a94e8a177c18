package io.holdpoint.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.web.context.ConfigurableWebApplicationContext;

/** What Spring Boot 4 calls its own configuration of a web server and a database. */
final class Boot {

    static final AutoConfigurations TOMCAT = AutoConfigurations.of(
            TomcatServletWebServerAutoConfiguration.class,
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
