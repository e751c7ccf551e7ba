// What is stored, as text: indented when it is JSON, else as it is.

/** Indents JSON without reading its numbers, so that ids beyond 2^53 keep all their digits. */
export function indented(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let out = "";
  let depth = 0;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  const line = () => `\n${"  ".repeat(depth)}`;
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    if (token === "}" || token === "]") {
      depth -= 1;
      if (before !== "{" && before !== "[") out += line();
    } else if (before === "{" || before === "[") out += line();
    out += token;
    if (token === "{" || token === "[") depth += 1;
    if (token === ",") out += line();
    if (token === ":") out += " ";
  });
  return out;
}
