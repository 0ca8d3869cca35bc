import { createRequire } from "node:module";
import { dirname } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { type LiveClient, Mailbox, type ServerMessage } from "./messages.ts";

const PROTOS = dirname(createRequire(import.meta.url).resolve("google-proto-files/package.json"));
const SERVICE = "google.cloud.ces.v1beta.SessionService";
const loaded = loadSync("google/cloud/ces/v1beta/session_service.proto", { includeDirs: [PROTOS] });
const Sessions = grpc.makeGenericClientConstructor(loaded[SERVICE] as grpc.ServiceDefinition, SERVICE);

interface GrpcClient extends LiveClient {
  /** How the call ended. */
  readonly status: Promise<grpc.StatusObject>;
  cancel(): void;
}

/** Opens a conversation with grpc-js and the published proto files. */
export function openGrpc(address: string): GrpcClient {
  const client = new Sessions(new URL(address).host, grpc.credentials.createInsecure());
  const open = client.bidiRunSession as () => grpc.ClientDuplexStream<object, ServerMessage>;
  const stream = open.call(client);
  const mailbox = new Mailbox();
  stream.on("data", (message: ServerMessage) => mailbox.put(message));
  stream.on("error", () => {}); // Told by the status as well.
  const status = new Promise<grpc.StatusObject>((resolve) => stream.on("status", resolve));
  const ended = status.then(() => mailbox.put(undefined));
  const send = (message: object) => void stream.write(message);
  return {
    status,
    send,
    say: (text) => send({ realtimeInput: { text } }),
    next: () => mailbox.next(),
    turn: () => mailbox.turn(),
    halfClose: () => stream.end(),
    cancel: () => stream.cancel(),
    async [Symbol.asyncDispose]() {
      stream.cancel();
      await ended;
      client.close();
    },
  };
}
