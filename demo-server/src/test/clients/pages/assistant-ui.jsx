import { useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import {
  ActionBarPrimitive,
  AssistantRuntimeProvider,
  AttachmentPrimitive,
  ComposerPrimitive,
  ErrorPrimitive,
  ExportedMessageRepository,
  MessagePrimitive,
  SimpleImageAttachmentAdapter,
  ThreadPrimitive,
  useAssistantTool,
} from "@assistant-ui/react";
import {
  fromAgUiMessages,
  useAgUiInterrupts,
  useAgUiRuntime,
  useAgUiSetState,
  useAgUiState,
  useAgUiSteerAway,
  useAgUiSubmitInterruptResponses,
} from "@assistant-ui/react-ag-ui";
import { HttpAgent } from "@ag-ui/assistant-client";
import { Cards, ToolCard, query, setBackground } from "./cards.jsx";

const threadId = query.get("thread");

/** A page that is opened again shows the thread as the server has it. */
const history = {
  async load() {
    if (!query.has("history")) return { messages: [] };
    const response = await fetch("/agent/history", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ threadId, runId: crypto.randomUUID() }),
    });
    if (!response.ok) return { messages: [] };
    const events = (await response.text())
      .split("\n\n")
      .filter((frame) => frame.startsWith("data: "))
      .map((frame) => JSON.parse(frame.slice(6)));
    const snapshot = events.findLast((event) => event.type === "MESSAGES_SNAPSHOT");
    return ExportedMessageRepository.fromArray(fromAgUiMessages(snapshot?.messages ?? []));
  },
  async append() {},
};

function Questions() {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  const [answers, setAnswers] = useState({});
  const answer = (entry) => {
    const all = { ...answers, [entry.interruptId]: entry };
    setAnswers(all);
    if (interrupts.every((each) => all[each.id])) {
      setAnswers({});
      submit(interrupts.map((each) => all[each.id])).catch((error) => (document.body.dataset.error = error.message));
    }
  };
  return (
    <Cards
      interrupts={interrupts}
      resolve={(interruptId, payload) => answer({ interruptId, status: "resolved", payload })}
      cancel={(interruptId) => answer({ interruptId, status: "cancelled" })}
    />
  );
}

function PageTools() {
  useAssistantTool({
    toolName: "setBackground",
    description: "Changes the background of the page",
    parameters: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
    execute: async (args) => setBackground(args),
  });
  useAssistantTool({
    toolName: "showHaiku",
    description: "Shows a haiku",
    parameters: { type: "object", properties: { lines: { type: "array", items: { type: "string" } } } },
    execute: async () => "shown",
    render: ({ args }) => <div data-haiku>{(args.lines ?? []).join(" / ")}</div>,
  });
  useAssistantTool({
    toolName: "pickSteps",
    type: "human",
    description: "Lets the user pick steps",
    parameters: { type: "object", properties: { steps: { type: "array", items: { type: "string" } } } },
    render: ({ args, addResult }) => (
      <div data-steps={(args.steps ?? []).join(",")}>
        <button data-pick onClick={() => addResult({ picked: args.steps.slice(0, 1) })}>Pick</button>
      </div>
    ),
  });
  const state = useAgUiState();
  const setState = useAgUiSetState();
  const steerAway = useAgUiSteerAway();
  return (
    <div>
      <code data-state>{JSON.stringify(state ?? null)}</code>
      <button data-set-state onClick={() => setState({ list: ["bread"] })}>Set state</button>
      <button data-steer onClick={() => steerAway(document.body.dataset.steer)}>Steer away</button>
    </div>
  );
}

const User = () => (
  <MessagePrimitive.Root data-user>
    <MessagePrimitive.Content />
    <ActionBarPrimitive.Edit data-edit>Edit</ActionBarPrimitive.Edit>
  </MessagePrimitive.Root>
);

const Edit = () => (
  <ComposerPrimitive.Root data-edit-composer>
    <ComposerPrimitive.Input data-edit-input />
    <ComposerPrimitive.Send data-edit-send>Save</ComposerPrimitive.Send>
  </ComposerPrimitive.Root>
);

const Reasoning = ({ text }) => <div data-reasoning>{text}</div>;

const Tool = ({ toolName, status, args, result, isError }) => (
  <ToolCard name={toolName} status={isError ? "error" : status.type} args={args} result={result} />
);

const Assistant = () => (
  <MessagePrimitive.Root data-assistant>
    <MessagePrimitive.Content components={{ Reasoning, tools: { Fallback: Tool } }} />
    <MessagePrimitive.Error>
      <ErrorPrimitive.Root data-error>
        <ErrorPrimitive.Message />
      </ErrorPrimitive.Root>
    </MessagePrimitive.Error>
    <ActionBarPrimitive.Reload data-regenerate>Again</ActionBarPrimitive.Reload>
  </MessagePrimitive.Root>
);

const Attached = () => (
  <AttachmentPrimitive.Root data-attached>
    <AttachmentPrimitive.Name />
  </AttachmentPrimitive.Root>
);

function App() {
  const agent = useMemo(() => new HttpAgent({ url: "/agent", threadId }), []);
  const runtime = useAgUiRuntime({
    agent,
    adapters: { history, attachments: new SimpleImageAttachmentAdapter() },
    onError: (error) => (document.body.dataset.error = error.message),
  });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <PageTools />
      <div data-chat>
        <ThreadPrimitive.Root>
          <ThreadPrimitive.Viewport>
            <ThreadPrimitive.Messages components={{ UserMessage: User, AssistantMessage: Assistant, EditComposer: Edit }} />
          </ThreadPrimitive.Viewport>
        </ThreadPrimitive.Root>
        <Questions />
      </div>
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Attachments components={{ Attachment: Attached }} />
        <ComposerPrimitive.AddAttachment data-attach>Attach</ComposerPrimitive.AddAttachment>
        <ComposerPrimitive.Input data-input />
        <ThreadPrimitive.If running={false}>
          <ComposerPrimitive.Send data-send>Send</ComposerPrimitive.Send>
        </ThreadPrimitive.If>
        <ThreadPrimitive.If running>
          <ComposerPrimitive.Cancel data-stop>Stop</ComposerPrimitive.Cancel>
        </ThreadPrimitive.If>
      </ComposerPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.getElementById("root")).render(<App />);
