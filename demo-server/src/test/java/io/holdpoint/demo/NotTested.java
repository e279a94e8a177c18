package io.holdpoint.demo;

/** What the short build says at its end. */
public final class NotTested {

    private NotTested() {}

    /** Whether the build is the short one, and whether it has tested nothing at all. */
    public static void main(String[] args) {
        if (args[0].equals("true") && !args[1].equals("true")) {
            System.out.println(
                    "NOT TESTED: browsers, Node.js, PostgreSQL, killed processes, Spring Boot 4, other versions of LangChain4j.");
            System.out.println("This tests them, too: mvn -T2 verify -Pall");
        }
    }
}
