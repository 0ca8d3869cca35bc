import { invalidArgument } from "#status";

/** A request within a batch. */
export interface BatchPart {
  /** `Content-ID` of the part with its brackets; undefined: none. */
  readonly id: string | undefined;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Lower-case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The requests of a `multipart/mixed` body of parts that are `application/http`. Throws INVALID_ARGUMENT with the number of the part. */
export function parseBatch(body: Buffer, contentType: string | undefined, maxParts: number): readonly BatchPart[] {
  const boundary = /^multipart\/mixed\s*;.*?\bboundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? "");
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw wrong("A batch is multipart/mixed, and its content type names the boundary.");
  // One character a byte: the bodies of parts stay as they are.
  const edge = new RegExp(`\\r?\\n--${RegExp.escape(name)}`);
  const pieces = `\n${body.toString("latin1")}`.split(edge, maxParts + 3);
  const end = pieces.findIndex((piece, index) => index > 0 && piece.startsWith("--"));
  if (end < 0 ? pieces.length > maxParts + 1 : end - 1 > maxParts)
    throw wrong(`A batch has ${maxParts} requests at most; this one has more.`);
  if (end < 0) throw wrong(`The batch ends without '--${name}--'.`);
  return pieces.slice(1, end).map((piece, index) => parsePart(piece, index + 1));
}

function parsePart(piece: string, number: number): BatchPart {
  // The rest of the boundary's own line is white space.
  const outer = splitHead(piece.replace(/^[ \t]*\r?\n/, ""), number);
  const inner = splitHead(outer.rest.trimStart(), number);
  const [line = "", ...lines] = inner.head;
  const [, method, address] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(line.trim()) ?? [];
  const target = address?.replace(/^https?:\/\/[^/?]*/, "");
  if (method === undefined || !target?.startsWith("/"))
    throw wrong(`Part ${number} of the batch does not begin with a request such as 'GET /v1/… HTTP/1.1'.`);
  return {
    id: headersOf(outer.head).get("content-id"),
    ...{ method, target, headers: headersOf(lines) },
    body: Buffer.from(inner.rest, "latin1"),
  };
}

/** Bytes of the headers of a part, as of a request. */
const MAX_HEAD = 32 * 1024;

/** The lines before the first empty one, and what is behind it. */
function splitHead(text: string, number: number): { readonly head: readonly string[]; readonly rest: string } {
  const empty = /(?:^|\r?\n)\r?\n/.exec(text);
  const head = empty ? text.slice(0, empty.index) : text;
  if (head.length > MAX_HEAD) throw wrong(`Part ${number} of the batch has more than ${MAX_HEAD} bytes of headers.`);
  return { head: head.split(/\r?\n/), rest: empty ? text.slice(empty.index + empty[0].length) : "" };
}

function headersOf(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line): (readonly [string, string])[] => {
      const colon = line.indexOf(":");
      return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]] : [];
    }),
  );
}

function wrong(description: string) {
  return invalidArgument({ field: "", description });
}
