import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";
import { thrownMessage } from "../thrown-message.ts";
import { EgressError } from "./egress-error.ts";

/** Creates what undoes one encoding, given the first byte of what was encoded. */
type CreateDecoder = (first: number) => Transform;

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  // Some servers send the raw form, without the header of zlib (RFC 9110, 8.4.1.2).
  ["deflate", (first) => ((first & 0x0f) === 0x08 ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress()],
]);

/** A body without its Content-Encoding, and the headers that describe it then. */
interface DecodedResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Undoes the Content-Encoding of a response, chunk by chunk. Many servers encode although no request here asks for it. The headers
 * `content-encoding` and `content-length` are removed, since they describe what was sent. An encoding of another name stays, with its header.
 * The body ends with an `EgressError` when it is damaged, cut off or not encoded at all.
 */
export function decodedResponse({ headers, body }: DecodedResponse): DecodedResponse {
  const names = (headers["content-encoding"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length === 0 || !names.every((name) => DECODERS.has(name))) return { headers, body };
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers;
  // The encoding that was applied last is undone first.
  return { headers: rest, body: names.reduceRight(decoded, body) };
}

/** An answer without content (204, or to HEAD) may still name an encoding: nothing decodes to nothing. */
async function* decoded(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  const createDecoder = DECODERS.get(name);
  if (first.done || !createDecoder) return;
  const source = Readable.from(startingWith(first.value, chunks), { objectMode: false });
  let sourceError: unknown;
  source.once("error", (error) => {
    sourceError = error;
  });
  const decoding = createDecoder(first.value[0] ?? 0);
  // The iteration below gets the errors of both.
  pipeline(source, decoding, () => undefined);
  try {
    for await (const chunk of decoding) yield chunk as Uint8Array;
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    const why = thrownMessage(error);
    throw new EgressError(
      "failed",
      `The response has the content encoding ${name} and cannot be decoded: ${why}`,
      error,
    );
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
