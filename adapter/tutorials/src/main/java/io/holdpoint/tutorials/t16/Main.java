package io.holdpoint.tutorials.t16;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.reach.Reach;
import io.holdpoint.reach.Webhook;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.tutorials.t16.Payment.Answer;
import io.javalin.Javalin;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerOptions;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Tutorial 16: a workflow of Temporal holds the process around an approval, and Holdpoint the approval. */
public final class Main {

    /** A worker that is cut off throws its workflows out of a cache, which would warn of each. */
    private static final Logger CACHE = Logger.getLogger("com.google.common.cache.LocalCache");

    static {
        CACHE.setLevel(Level.OFF);
    }

    static final String QUEUE = "payments";
    static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]); // yours is random

    /** For the server of the tests, which keeps a task that it meant for a worker that is gone: a real one gives it to another after seconds. */
    private static final WorkerOptions OPTIONS = WorkerOptions.newBuilder()
            .setStickyQueueScheduleToStartTimeout(Duration.ZERO)
            .build();

    private Main() {}

    interface Assistant {

        String chat(String message);
    }

    record Bank(PrintStream out) {

        @Tool("Pay an invoice")
        @RequiresApproval(message = "Pay invoice {{invoice}}, {{amount}} euros?")
        String pay(String invoice, int amount) {
            out.println("  (pay runs: " + invoice + ", " + amount + ")");
            return "paid";
        }
    }

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    static Holdpoint agent(int port, PrintStream out) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("call_1", "pay", "{\"invoice\":\"R-7\",\"amount\":9000}"))
                .says("Invoice R-7 is paid.");
        // readme
        return Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(out))
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("treasury")))
                .with(Reach.notifier("engine", Webhook.to(URI.create("http://127.0.0.1:" + port + "/notices"), SECRET)))
                .build();
        // end
    }

    static WorkerFactory worker(WorkflowClient client, Payment.Agent activities) {
        // readme
        WorkerFactory factory = WorkerFactory.newInstance(client);
        Worker worker = factory.newWorker(QUEUE, OPTIONS);
        worker.registerWorkflowImplementationTypes(Payment.Flow.class);
        worker.registerActivitiesImplementations(activities);
        factory.start();
        // end
        return factory;
    }

    static Payment begin(WorkflowClient client, String invoice) {
        // readme
        Payment payment = client.newWorkflowStub(
                Payment.class,
                WorkflowOptions.newBuilder()
                        .setWorkflowId("payment-" + invoice) // the thread's id, too
                        .setTaskQueue(QUEUE)
                        .build());
        WorkflowClient.start(payment::pay, invoice);
        // end
        return payment;
    }

    public static void run(PrintStream out) throws Exception {
        BlockingQueue<String> tasks = new LinkedBlockingQueue<>();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        TestServer.PortBoundTestServer engine = TestServer.createPortBoundServer(port, true);
        WorkflowServiceStubs service = connect(port);
        WorkflowClient client = WorkflowClient.newInstance(service);
        Notices notices = new Notices(SECRET, client, tasks::add);
        Javalin server = Javalin.create(config -> config.routes.post("/notices", notices::receive))
                .start("127.0.0.1", 0);
        List<WorkerFactory> workers = new ArrayList<>();
        try (Holdpoint agent = agent(server.port(), out)) {
            AgentOfPayments activities = new AgentOfPayments(agent, tasks::add);
            // readme
            WorkflowServiceStubs ofFirst = connect(port);
            workers.add(worker(WorkflowClient.newInstance(ofFirst), activities));
            Payment payment = begin(client, "R-7");
            out.println("For treasury: " + tasks.poll(60, TimeUnit.SECONDS));

            ofFirst.shutdownNow(); // as when its process is killed
            out.println("The worker is gone. Another one takes over.");
            workers.add(worker(client, activities));

            out.println("Ada, who asked for it, approves.");
            payment.decided(new Answer("ada", true));
            out.println(tasks.poll(60, TimeUnit.SECONDS));
            out.println("Grace approves, and her signal is sent twice.");
            payment.decided(new Answer("grace", true));
            payment.decided(new Answer("grace", true));
            String outcome = WorkflowStub.fromTyped(payment).getResult(180, TimeUnit.SECONDS, String.class);
            out.println("The workflow ends: " + outcome);
            // end
        } finally {
            workers.forEach(WorkerFactory::shutdownNow);
            server.stop();
            service.shutdownNow();
            engine.close();
        }
    }

    static WorkflowServiceStubs connect(int port) {
        return WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget("127.0.0.1:" + port)
                .build());
    }
}
