import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { Compression } from "@connectrpc/connect/protocol";
import { decompressMessage } from "./request-messages.ts";

const compress = promisify<Buffer | Uint8Array, Buffer>(deflate);

/** The encoding that gRPC has beside gzip, and connect-es does not bring (WIRE-81). */
export const compressionDeflate: Compression = {
  name: "deflate",
  compress: async (bytes) => new Uint8Array(await compress(bytes)),
  decompress: async (bytes, maxBytes) =>
    bytes.length === 0
      ? new Uint8Array(0)
      : new Uint8Array(await decompressMessage(Buffer.from(bytes), "deflate", maxBytes)),
};
