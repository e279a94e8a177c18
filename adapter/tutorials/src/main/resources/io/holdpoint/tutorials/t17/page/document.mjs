/** Posts an input, and gives the events that answer it as they come. */
export async function* events(url, input) {
  const body = { protocolVersion: "1.0", runId: crypto.randomUUID(), messages: [], ...input };
  const response = await fetch(url, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.json()).message);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split("\n\n");
    rest = frames.pop();
    for (const frame of frames) if (frame.startsWith("data: ")) yield JSON.parse(frame.slice(6));
  }
}

/** Adds what an event says to the messages. A snapshot takes their place. */
export function apply(messages, event) {
  if (event.type === "MESSAGES_SNAPSHOT") return event.messages;
  const said = (id) => {
    if (!messages.some((message) => message.id === id)) messages.push({ id, role: "assistant" });
    return messages.find((message) => message.id === id);
  };
  if (event.type === "TEXT_MESSAGE_CONTENT") {
    const message = said(event.messageId);
    message.content = (message.content ?? "") + event.delta;
  } else if (event.type === "TOOL_CALL_START") {
    const call = { id: event.toolCallId, function: { name: event.toolCallName, arguments: "" } };
    (said(event.parentMessageId).toolCalls ??= []).push(call);
  } else if (event.type === "TOOL_CALL_ARGS") {
    const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
    calls.find(({ id }) => id === event.toolCallId).function.arguments += event.delta;
  } else if (event.type === "TOOL_CALL_RESULT") {
    messages.push({ role: "tool", toolCallId: event.toolCallId, isLive: true });
  }
  return messages;
}

/** Tells the chat from the documents: what the model says between openDocument and closeDocument is a document. */
export function view(messages) {
  const chat = [];
  const documents = [];
  let open;
  for (const { role, content, toolCalls = [], toolCallId, error, isLive } of messages) {
    if (role === "tool") {
      const closed = documents.find(({ closing }) => closing === toolCallId);
      if (closed) closed.state = isLive ? "answered" : error ? "draft" : "published";
    } else if (content && open && role === "assistant") {
      open.text += content;
    } else if (content) {
      chat.push({ role, text: content });
    }
    for (const { id, function: { name, arguments: json } } of toolCalls) {
      if (name === "openDocument") {
        open = { title: titleIn(json), text: "", state: "being written" };
        documents.push(open);
        chat.push({ role: "document", document: open });
      } else if (name === "closeDocument" && open) {
        Object.assign(open, { closing: id, state: "waiting for you" });
        open = undefined;
      }
    }
  }
  return { chat, documents };
}

/** The title in arguments that may not be complete yet. */
function titleIn(json) {
  try {
    const { title, version } = JSON.parse(json);
    return `${title}, version ${version}`;
  } catch {
    return "";
  }
}
