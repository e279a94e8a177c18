/** The text of a message's content: a string, or the text parts of a list. */
export function text(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).filter((part) => part.type === 'text').map((part) => part.text).join('\n');
}
