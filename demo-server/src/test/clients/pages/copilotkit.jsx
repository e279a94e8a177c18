import { createRoot } from "react-dom/client";
import { z } from "zod";
import { useAgent, useDefaultRenderTool, useFrontendTool, useHumanInTheLoop } from "@copilotkit/react-core/v2";
import { Chat } from "../guide/copilotkit.jsx";
import { ToolCard, query, setBackground } from "./tools.jsx";

const runtimeUrl = query.get("runtime");

function Features() {
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

createRoot(document.getElementById("root")).render(
  <Chat
    threadId={query.get("thread")}
    showDevConsole={false}
    {...(runtimeUrl ? { selfManagedAgents: undefined, runtimeUrl } : {})}
  >
    <Features />
  </Chat>,
);
