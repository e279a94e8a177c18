# The demo: mvn package -DskipTests && docker build -t holdpoint-demo . && docker run -p 127.0.0.1:8080:8080 holdpoint-demo
FROM eclipse-temurin:17-jre
WORKDIR /demo
RUN useradd --system --no-create-home demo && mkdir .holdpoint && chown demo .holdpoint
COPY demo-server/target/holdpoint-demo-server.jar holdpoint-demo-server.jar
ENV HOST=0.0.0.0
EXPOSE 8080
VOLUME /demo/.holdpoint
USER demo
ENTRYPOINT ["java", "-jar", "holdpoint-demo-server.jar"]
