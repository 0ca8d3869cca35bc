import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate, type ZlibOptions } from "node:zlib";
import { fromBinary, type Message } from "@bufbuild/protobuf";
import type { RegisteredMethod } from "#rpc";
import { Code, ConnectError, cancelled, invalidArgument, resourceExhausted } from "#status";
import { Inbox } from "../http/inbox.ts";
import { type GrpcFrame, MessageReader } from "./message-reader.ts";

/** How clients may pack their messages. Ours are not packed. */
export const ENCODINGS = "identity,gzip,deflate";

/** The messages of a request, as they come; none may be larger than `maxBytes`, packed or not. An iterator, as the inbox is. */
export class RequestMessages implements AsyncIterableIterator<Message, undefined> {
  readonly #frames: Inbox<GrpcFrame>;
  readonly #method: RegisteredMethod;
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;

  constructor(request: IncomingMessage, method: RegisteredMethod, maxBytes: number) {
    this.#frames = openInbox(request, maxBytes);
    this.#method = method;
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  async next(): Promise<IteratorResult<Message, undefined>> {
    const step = await this.#frames.next();
    if (step.done) return step;
    const { compressed, payload } = step.value;
    const bytes = compressed ? await this.#unpack(payload) : payload;
    return { done: false, value: decode(() => fromBinary(this.#method.internalMethod.input, bytes)) };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #unpack(payload: Buffer): Promise<Buffer> {
    const encoding = String(this.#request.headers["grpc-encoding"] ?? "identity");
    return unpack(payload, encoding, this.#maxBytes);
  }
}

function decode(read: () => Message): Message {
  try {
    return read();
  } catch (error) {
    const reason = (error as Error).message;
    throw invalidArgument({ field: "", description: `The message cannot be read as protobuf: ${reason}` });
  }
}

const UNPACK = new Map([
  ["gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ["deflate", promisify<Buffer, ZlibOptions, Buffer>(inflate)],
]);

async function unpack(payload: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const decompress = UNPACK.get(encoding);
  if (!decompress)
    throw new ConnectError(`Messages packed as '${encoding}' are not supported; use ${ENCODINGS}.`, Code.Unimplemented);
  try {
    return await decompress(payload, { maxOutputLength });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw resourceExhausted(`The message is larger than the limit of ${maxOutputLength} bytes.`);
    throw invalidArgument({ field: "", description: `The message is not valid ${encoding} data.` });
  }
}

function openInbox(request: IncomingMessage, maxBytes: number): Inbox<GrpcFrame> {
  const inbox = new Inbox<GrpcFrame>(request);
  const reader = new MessageReader(maxBytes);
  request.on("data", (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) inbox.push(frame, frame.payload.length);
    } catch (error) {
      inbox.fail(error);
    }
  });
  // Both come once; `once` itself would rest with each conversation.
  request.on("end", () => (reader.isInside ? inbox.fail(cutOff()) : inbox.end()));
  request.on("close", () => inbox.fail(cancelled("The client went away or cancelled the call.")));
  return inbox;
}

function cutOff(): ConnectError {
  return invalidArgument({ field: "", description: "the request ended in the middle of a message" });
}
