import { type Requirement, row, type TurnSurface } from "./requirement.ts";

/** Where the address has no revision that a client could choose. */
const REST_AND_SOCKETS: Partial<Record<TurnSurface, string>> = {
  grpc: "the client's definitions are of one revision (server/test/witnesses)",
  "grpc-stream": "the client's definitions are of one revision (server/test/witnesses)",
  "grpc-bidi": "the client's definitions are of one revision (server/test/witnesses)",
};

const ONLY_REST: Partial<Record<TurnSurface, string>> = {
  grpc: "its path has no session",
  "grpc-stream": "its path has no session",
  "grpc-bidi": "its path has no session",
  websocket: "its path has no session",
};

const ONLY_REST_STREAM: Partial<Record<TurnSurface, string>> = {
  rest: "a whole answer is no stream",
  grpc: "its framing is gRPC's",
  "grpc-stream": "its framing is gRPC's",
  "grpc-bidi": "its framing is gRPC's",
  websocket: "its framing is a message a frame",
};

/** Under which names and paths turns are taken. */
export const ADDRESSES = {
  "address-hosts": row("WIRE-1", "The API answers to the hosted product's names, the global and the regional ones"),
  "address-revisions": row("WIRE-2", "Paths may be of v1 and of v1beta", REST_AND_SOCKETS),
  "address-locations": row("WIRE-1", "Every location is served, whatever the path of a WebSocket says"),
  "address-path-session": row(
    "WIRE-3",
    "The session of the path is the config's when the body does not say it",
    ONLY_REST,
  ),
  "address-framing": row("WIRE-6", "A stream is a JSON array, and events with alt=sse", ONLY_REST_STREAM),
  "address-token": row("WIRE-5", "A chat token opens its own session and no other"),
} as const satisfies Readonly<Record<string, Requirement>>;
