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
