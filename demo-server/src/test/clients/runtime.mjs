// CopilotKit's runtime in front of an agent; says its address when it is ready.
import { createServer } from "node:http";
import { HttpAgent } from "@ag-ui/client-0.0.59";
import { CopilotRuntime, InMemoryAgentRunner } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";

const [, , base] = process.argv;
const runtime = new CopilotRuntime({
  agents: { default: new HttpAgent({ url: `${base}/agent` }) },
  runner: new InMemoryAgentRunner(),
});
const server = createServer(createCopilotNodeListener({ runtime, basePath: "/api/copilotkit", cors: true }));
server.listen(0, "127.0.0.1", () => console.log(`ready http://127.0.0.1:${server.address().port}/api/copilotkit`));
