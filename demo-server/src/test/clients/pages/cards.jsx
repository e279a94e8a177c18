import { useState } from "react";

/** The question and a field for any answer, in JSON. */
function Card({ interrupt, resolve, cancel }) {
  const [answer, setAnswer] = useState("");
  return (
    <form
      data-card={interrupt.id}
      data-reason={interrupt.reason}
      onSubmit={(event) => {
        event.preventDefault();
        resolve(JSON.parse(answer));
      }}
    >
      <p data-message>{interrupt.message}</p>
      <input data-answer value={answer} onChange={(event) => setAnswer(event.target.value)} />
      <button data-resolve>Answer</button>
      <button data-cancel type="button" onClick={() => cancel()}>
        Cancel
      </button>
    </form>
  );
}

export function Cards({ interrupts, resolve, cancel }) {
  return (
    <div data-cards>
      {interrupts.map((interrupt) => (
        <Card
          key={interrupt.id}
          interrupt={interrupt}
          resolve={(payload) => resolve(interrupt.id, payload)}
          cancel={() => cancel(interrupt.id)}
        />
      ))}
    </div>
  );
}

/** A call of any tool, as the client knows it. */
export const ToolCard = ({ name, status, args, result }) => (
  <div data-tool={name} data-status={status} data-args={JSON.stringify(args ?? {})}>
    {typeof result === "string" ? result : JSON.stringify(result ?? null)}
  </div>
);

/** A tool of the page: the colour is kept where the test can see it. */
export const setBackground = ({ colour }) => {
  document.body.dataset.background = colour;
  return `the background is ${colour}`;
};

export const query = new URLSearchParams(location.search);
