import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from "node:zlib";
import { cancelled } from "#status";
import type { RequestLimits } from "../contract.ts";
import { HttpError, tooLarge, tooSlow } from "./http-error.ts";

type Decompress = (data: Buffer, options: ZlibOptions) => Promise<Buffer>;

const DECOMPRESS: Readonly<Record<string, Decompress>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  "x-gzip": promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

/** The body of a request, decompressed. The limit holds for the bytes that arrive and for the decompressed ones; reading stops there. */
export async function readBody(request: IncomingMessage, limits: RequestLimits): Promise<Buffer> {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  const decompress = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined;
  if (!decompress && encoding !== "identity") {
    throw new HttpError(
      415,
      "INVALID_ARGUMENT",
      `Content-Encoding '${encoding}' is not supported; use gzip, deflate, br or none.`,
    );
  }
  const raw = await collect(request, limits);
  return decompress && raw.length > 0 ? decompressBody(raw, decompress, encoding, limits) : raw;
}

function collect(request: IncomingMessage, limits: RequestLimits): Promise<Buffer> {
  const { maxBodyBytes, bodyTimeoutMs } = limits;
  if (Number(request.headers["content-length"]) > maxBodyBytes) return Promise.reject(tooLarge(limits));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      clearTimeout(timer);
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("error", onGone);
      request.off("close", onGone);
    };
    const fail = (error: Error): void => {
      stop();
      request.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBodyBytes) fail(tooLarge(limits));
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onGone = (): void => fail(cancelled("The client disconnected before the end of the request."));
    const timer = setTimeout(() => fail(tooSlow(bodyTimeoutMs)), bodyTimeoutMs);
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onGone);
    request.on("close", onGone);
  });
}

async function decompressBody(
  raw: Buffer,
  decompress: Decompress,
  encoding: string,
  limits: RequestLimits,
): Promise<Buffer> {
  try {
    return await decompress(raw, { maxOutputLength: limits.maxBodyBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limits);
    throw new HttpError(400, "INVALID_ARGUMENT", `The request body is not valid ${encoding} data.`);
  }
}
