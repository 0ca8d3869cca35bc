import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { frameOf } from "./framing.ts";

/**
 * The same request with an empty message in place of its body. connect-es reads the message before it calls the method, and a caller who is
 * refused must not make this server read one.
 */
export function withoutBody(request: UniversalServerRequest): UniversalServerRequest {
  const type = request.header.get("content-type") ?? "";
  const header = new Headers(request.header);
  for (const name of ["content-encoding", "content-length"]) header.delete(name);
  const message = Buffer.from(/json(?=;|$)/i.test(type) ? "{}" : "");
  const isFramed = /^application\/(?:grpc|connect\+)/i.test(type);
  return { ...request, header, body: onePart(isFramed ? frameOf(message) : message) };
}

async function* onePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
