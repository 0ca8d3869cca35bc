import type { UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { invalidArgument } from "#status";

const TEXT = /^application\/grpc-web-text(?=[+;]|$)/i;

/** Whether a request is gRPC-Web in base64: the form of browser clients that can read a response only as text (WIRE-17). */
export function isGrpcWebText({ header }: UniversalServerRequest): boolean {
  return TEXT.test(header.get("content-type") ?? "");
}

/** The same request in binary gRPC-Web. Its body is base64 in pieces of any length, each of which may be padded. */
export function toBinaryRequest(request: UniversalServerRequest): UniversalServerRequest {
  const header = new Headers(request.header);
  header.set("content-type", "application/grpc-web+proto");
  return { ...request, header, body: decoded(request.body as AsyncIterable<Uint8Array>) };
}

/** The same response in base64, each part padded, so that a client can read it when it arrives. */
export function toTextResponse(response: UniversalServerResponse): UniversalServerResponse {
  const header = new Headers(response.header);
  header.set("content-type", "application/grpc-web-text+proto");
  return { ...response, header, ...(response.body && { body: encoded(response.body) }) };
}

async function* decoded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of body) {
    const text = rest + Buffer.from(chunk).toString("latin1");
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole > 0) yield decodePieces(text.slice(0, whole));
  }
  if (rest !== "") throw notBase64();
}

/** Padding ends a piece, not the text: a decoder would stop there. */
function decodePieces(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/=]*$/.test(text)) throw notBase64();
  if (!text.includes("=")) return Buffer.from(text, "base64");
  return Buffer.concat(text.match(/[^=]+={0,2}/g)?.map((piece) => Buffer.from(piece, "base64")) ?? []);
}

function notBase64(): Error {
  return invalidArgument({ field: "", description: "The body of application/grpc-web-text is not base64." });
}

async function* encoded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of body) yield Buffer.from(Buffer.from(part).toString("base64"), "latin1");
}
