import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");

/**
 * The modules that can open a connection to another machine, with who decides where to (TOOL-59). What apps, callers and models name is reached through
 * the egress gate, so a new module belongs here only when the operator alone says what it connects to.
 */
const KNOWN: Readonly<Record<string, string>> = {
  "base/egress/dispatchers.ts": "the gate",
  "base/egress/egress.ts": "the gate",
  "base/egress/open-socket.ts": "the gate",
  "app/build/trial-egress.ts": "a gate for trials: it makes the socket that it ends",
  "warehouse/connections/database-gate.ts": "a socket that it ends when the host is not listed",

  "warehouse/mysql/connection-pool.ts": "the operator's database, or the socket of the gate",
  "warehouse/postgres/connection-pool.ts": "the operator's database, or the socket of the gate",
  "warehouse/postgres/cell-value.ts": "parsers of cells alone",
  "warehouse/sqlserver/connection-pool.ts": "the operator's database, or the socket of the gate",
  "warehouse/sqlserver/run-batch.ts": "a request on a connection that there is",
  "storage/postgres/cancel-statement.ts": "the operator's database",
  "storage/postgres/client.ts": "the operator's database",
  "storage/postgres/connections.ts": "the operator's database",
  "replicas/turn-client.ts": "the other servers of the operator's database",

  "identity/sign-in/sign-in.ts": "the operator's issuer, with the fetch of the gate",
  "tools/mcp/mcp-client.ts": "given the fetch of the gate",
  "tools/remote-agent/send-message.ts": "given the fetch of the gate",
  "tools/remote-agent/task-events.ts": "types and enums alone",

  "google/google-identity.ts": "Google's own addresses, by the operator's credentials",
  "models/http/http-client.ts": "the operator's models",
  "speech/providers/http-request.ts": "the operator's providers of speech",
  "speech/providers/web-socket.ts": "the operator's providers of speech",
  "speech/providers/openai/openai-speech-to-text.ts": "a form alone",
  "app/telemetry/otlp-exporter.ts": "the operator's collector",
  "app/doctor/check-models.ts": "frontdesk doctor: the operator's models",
  "app/doctor/check-port.ts": "frontdesk doctor: this server",

  "protocols/a2a/legacy.ts": "forms of messages alone",
  "status/require-package.ts": "says whether a package is there",
  "protocols/websocket/websocket-handler.ts": "accepts connections",
  "protocols/websocket/socket-messages.ts": "states of a socket alone",

  "cli/auth.ts": "frontdesk auth: this server",
  "cli/doctor.ts": "frontdesk doctor: the server that the user names",
  "cli/files.ts": "frontdesk files: the server that the user names",
  "cli/mcp-bridge.ts": "frontdesk mcp: the server that the user names",
  "cli/resources/upload-file.ts": "the server that the user names",
  "cli/sign-in/key-file.ts": "the credentials of the user",
  "cli/sign-in/post-form.ts": "the server that the user names",
};

/** Libraries that open connections by themselves. */
const LIBRARIES =
  /^(?:undici|ws|pg|mysql2|tedious|google-auth-library|openid-client|@modelcontextprotocol\/client|@a2a-js\/sdk|@grpc\/grpc-js|googleapis|axios|got|node-fetch)(?:\/.*)?$/;
/** What of Node's modules does; `*` is all of one. */
const OF_NODE: Readonly<Record<string, RegExp>> = {
  "node:net": /\*|\b(?:connect|createConnection|Socket)\b/,
  "node:tls": /\*|\b(?:connect|TLSSocket)\b/,
  "node:http": /\*|\b(?:request|get|Agent)\b/,
  "node:https": /./,
  "node:http2": /\*|\bconnect\b/,
  "node:dgram": /./,
  "node:dns": /./,
  "node:dns/promises": /./,
  "node:module": /\*|\bcreateRequire\b/,
};

const IMPORT =
  /\b(?:import|export)\s+(?!type\b)([^;"]*?)\s*from\s+"([^"\n]+)"|(?<!typeof )\bimport\(\s*"([^"\n]+)"\s*\)|\bimport\s+"([^"\n]+)"|\brequire\(\s*"([^"\n]+)"\s*\)/g;
/** Of the web's interfaces: a call that is no method, and where no parameter or variable of the file has the name. */
const OF_THE_WEB = /\bglobalThis\.fetch\(|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\(|(?<![.\w])fetch\(/;
const NAMED_FETCH = /\bfetch\??: |\bconst (?:\{[^}]*\bfetch\b[^}]*\}|fetch\b)|\bfetch[(<][^)]*\): Promise/;

/** Whether a module can open a connection by what it imports as a value, or by what every module has. */
function opensConnections(text: string): boolean {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, "");
  for (const [, clause = "*", from, dynamic, bare, required] of code.matchAll(IMPORT)) {
    const module = from ?? dynamic ?? bare ?? required ?? "";
    const values = clause.replace(/\btype\s+\w+(?:\s+as\s+\w+)?/g, "");
    if (/[\w*]/.test(values) && (LIBRARIES.test(module) || OF_NODE[module]?.test(values))) return true;
  }
  const [found] = OF_THE_WEB.exec(code) ?? [];
  return found !== undefined && !(found === "fetch(" && NAMED_FETCH.test(code));
}

function modules(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:__fixtures__|testing)$/.test(entry.name) ? [] : modules(path);
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

it("every module that can open a connection is the gate, is given the gate, or goes where the operator says (TOOL-59)", () => {
  const found = modules(SRC).filter((path) => opensConnections(readFileSync(path, "utf8")));
  const names = found.map((path) => relative(SRC, path).split(sep).join("/"));
  assert.deepEqual(names.toSorted(), Object.keys(KNOWN).toSorted());
});

it("no way to open a connection goes unseen", () => {
  const opening = [
    'import { connect } from "node:net";',
    'import * as http from "node:http";',
    'import {\n  type Server,\n  request as send,\n} from "node:http";',
    'import https from "node:https";',
    'const { lookup } = await import("node:dns/promises");',
    'export { Agent } from "undici";',
    'import "axios";',
    "const page = await fetch(url);",
    "const page = await globalThis.fetch(url);",
    "const socket = new WebSocket(url);",
  ];
  const others = [
    'import type { Socket } from "node:net";',
    'import { isIP } from "node:net";',
    'import { createServer, type Agent } from "node:http";',
    'let client: typeof import("mysql2");',
    "const page = await egress.fetch({ url });",
    "const send = (fetch: Fetch) => fetch(url);",
    "// fetch(url) is not called here",
  ];
  for (const text of opening) assert.equal(opensConnections(text), true, text);
  for (const text of others) assert.equal(opensConnections(text), false, text);
});
