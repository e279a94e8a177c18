import { useMemo } from "react";
import { createRoot } from "react-dom/client";
import { z } from "zod";
import {
  CopilotChat,
  CopilotKitProvider,
  HttpAgent,
  useAgent,
  useDefaultRenderTool,
  useFrontendTool,
  useHumanInTheLoop,
  useInterrupt,
} from "@copilotkit/react-core/v2";
import { Cards, ToolCard, query, setBackground } from "./cards.jsx";

const threadId = query.get("thread");
const runtimeUrl = query.get("runtime");

function Features() {
  useInterrupt({
    render: ({ interrupts, resolve, cancel }) => (
      <Cards interrupts={interrupts} resolve={(id, payload) => resolve(payload, id)} cancel={cancel} />
    ),
  });
  useFrontendTool({
    name: "setBackground",
    description: "Changes the background of the page",
    parameters: z.object({ colour: z.string() }),
    handler: async (args) => setBackground(args),
  });
  useFrontendTool({
    name: "showHaiku",
    description: "Shows a haiku",
    parameters: z.object({ lines: z.array(z.string()) }),
    handler: async () => "shown",
    render: ({ args }) => <div data-haiku>{(args.lines ?? []).join(" / ")}</div>,
  });
  useHumanInTheLoop({
    name: "pickSteps",
    description: "Lets the user pick steps",
    parameters: z.object({ steps: z.array(z.string()) }),
    render: ({ args, respond }) => (
      <div data-steps={(args.steps ?? []).join(",")}>
        {respond && <button data-pick onClick={() => respond({ picked: args.steps.slice(0, 1) })}>Pick</button>}
      </div>
    ),
  });
  useDefaultRenderTool({
    render: ({ name, status, parameters, result }) => (
      <ToolCard name={name} status={status} args={parameters} result={result} />
    ),
  });
  const { agent, isReady } = useAgent();
  return (
    <div>
      <code data-state data-ready={isReady}>{JSON.stringify(agent.state ?? null)}</code>
      <button data-set-state onClick={() => agent.setState({ list: ["bread"] })}>Set state</button>
    </div>
  );
}

function App() {
  const agents = useMemo(() => ({ default: new HttpAgent({ url: "/agent", threadId }) }), []);
  const source = runtimeUrl ? { runtimeUrl } : { selfManagedAgents: agents };
  return (
    <CopilotKitProvider
      {...source}
      showDevConsole={false}
      onError={({ error }) => (document.body.dataset.error = error?.message ?? "")}
    >
      <Features />
      <div data-chat>
        <CopilotChat agentId="default" threadId={threadId} attachments={{ enabled: true }} />
      </div>
    </CopilotKitProvider>
  );
}

createRoot(document.getElementById("root")).render(<App />);
