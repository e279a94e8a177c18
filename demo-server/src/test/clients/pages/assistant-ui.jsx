import { createRoot } from "react-dom/client";
import {
  ActionBarPrimitive,
  AttachmentPrimitive,
  ComposerPrimitive,
  ErrorPrimitive,
  MessagePrimitive,
  SimpleImageAttachmentAdapter,
  ThreadPrimitive,
  useAssistantTool,
} from "@assistant-ui/react";
import { useAgUiSetState, useAgUiState } from "@assistant-ui/react-ag-ui";
import { Chat } from "../guide/assistant-ui.jsx";
import { ToolCard, query, setBackground } from "./tools.jsx";

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
  return (
    <div>
      <code data-state>{JSON.stringify(state ?? null)}</code>
      <button data-set-state onClick={() => setState({ list: ["bread"] })}>Set state</button>
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
      <ErrorPrimitive.Root>
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

const adapters = { attachments: new SimpleImageAttachmentAdapter() };

createRoot(document.getElementById("root")).render(
  <Chat threadId={query.get("thread")} adapters={adapters}>
    <PageTools />
    <ThreadPrimitive.Root>
      <ThreadPrimitive.Viewport>
        <ThreadPrimitive.Messages components={{ UserMessage: User, AssistantMessage: Assistant, EditComposer: Edit }} />
      </ThreadPrimitive.Viewport>
    </ThreadPrimitive.Root>
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
  </Chat>,
);
