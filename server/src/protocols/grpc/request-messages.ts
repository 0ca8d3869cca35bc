import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate, type ZlibOptions } from "node:zlib";
import { fromBinary, type Message } from "@bufbuild/protobuf";
import type { RegisteredMethod } from "#rpc";
import { Code, ConnectError, cancelled, invalidArgument, resourceExhausted } from "#status";
import { BackpressureQueue } from "../http/backpressure-queue.ts";
import { FrameReader, type GrpcFrame } from "./framing.ts";
import { protobufCheck } from "./limit-values.ts";

/** Encodings of clients' messages. Responses are not compressed. */
export const ENCODINGS = "identity,gzip,deflate";

/** The messages of a request as they arrive. None may be larger than `maxBytes`, before and after decompression. */
export class RequestMessages implements AsyncIterableIterator<Message, undefined> {
  readonly #frames: BackpressureQueue<GrpcFrame>;
  readonly #method: RegisteredMethod;
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;

  constructor(request: IncomingMessage, method: RegisteredMethod, maxBytes: number) {
    this.#frames = openQueue(request, maxBytes);
    this.#method = method;
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  async next(): Promise<IteratorResult<Message, undefined>> {
    const step = await this.#frames.next();
    if (step.done) return step;
    const { compressed, payload } = step.value;
    const bytes = compressed ? await this.#decompress(payload) : payload;
    protobufCheck(this.#method.internalMethod.input)(bytes);
    return { done: false, value: decode(() => fromBinary(this.#method.internalMethod.input, bytes)) };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #decompress(payload: Buffer): Promise<Buffer> {
    const encoding = String(this.#request.headers["grpc-encoding"] ?? "identity");
    return decompressMessage(payload, encoding, this.#maxBytes);
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

const DECOMPRESS = new Map([
  ["gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ["deflate", promisify<Buffer, ZlibOptions, Buffer>(inflate)],
]);

/** A message in an encoding of gRPC. Throws a status error for one that is longer, or cannot be read. */
export async function decompressMessage(payload: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const decompress = DECOMPRESS.get(encoding);
  if (!decompress)
    throw new ConnectError(`The grpc-encoding '${encoding}' is not supported; use ${ENCODINGS}.`, Code.Unimplemented);
  try {
    return await decompress(payload, { maxOutputLength });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw resourceExhausted(`The message is larger than the limit of ${maxOutputLength} bytes.`);
    throw invalidArgument({ field: "", description: `The message is not valid ${encoding} data.` });
  }
}

function openQueue(request: IncomingMessage, maxBytes: number): BackpressureQueue<GrpcFrame> {
  const queue = new BackpressureQueue<GrpcFrame>(request);
  const reader = new FrameReader(maxBytes);
  request.on("data", (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) queue.push(frame, frame.payload.length);
    } catch (error) {
      queue.fail(error);
    }
  });
  // Both are emitted once; the wrapper that `once` adds would stay in memory with each conversation.
  request.on("end", () => (reader.hasPartialFrame ? queue.fail(cutOff()) : queue.end()));
  request.on("close", () => queue.fail(cancelled("The client disconnected or cancelled the call.")));
  return queue;
}

function cutOff(): ConnectError {
  return invalidArgument({ field: "", description: "the request ended in the middle of a message" });
}
