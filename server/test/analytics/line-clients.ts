/**
 * Readers of `:chat` as people write them: line by line. They are what the vendor's documentation, its notebooks and adk's
 * `get_stream` do, in our own words (WIRE-7).
 */

/** What a reader saw: each element that it could parse, as it came. */
// biome-ignore lint/suspicious/noExplicitAny: elements are looked into by each test
export type Element = any;

/** The documented reader: lines are gathered until what is gathered is JSON; a lone bracket at the end stays and does no harm. */
export function readByLines(chunks: Iterable<Uint8Array>): readonly Element[] {
  const elements: Element[] = [];
  let gathered = "";
  for (const line of lines(chunks)) {
    if (line === "[{") gathered = "{";
    else if (line === "}]") gathered += "}";
    else if (line === ",") continue;
    else gathered += line;
    const element = parsed(gathered);
    if (element === undefined) continue;
    elements.push(element);
    gathered = "";
  }
  return elements;
}

/** What adk keeps: the text of answers, SQL, and rows as lists with their column names, of the last result only. */
export function readAsAdk(chunks: Iterable<Uint8Array>): readonly object[] {
  const kept: object[] = [];
  for (const element of readByLines(chunks)) {
    const message = element.systemMessage ?? {};
    if (message.text) kept.push({ text: message.text.parts.join("") });
    else if (message.data?.generatedSql) kept.push({ sql: message.data.generatedSql });
    else if (message.data?.result) {
      const { schema, data } = message.data.result;
      const names: string[] = schema.fields.map(({ name }: { name: string }) => name);
      kept.push({ headers: names, rows: data.map((row: Record<string, unknown>) => names.map((name) => row[name])) });
    } else if (element.error) kept.push({ error: element.error.message });
  }
  return kept;
}

function* lines(chunks: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    yield* whole;
  }
  if (rest !== "") yield rest;
}

function parsed(text: string): Element | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // More lines belong to it.
  }
}

/** The bytes in pieces of one size. */
export function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
