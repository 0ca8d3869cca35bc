import { isJsonObject, localAddress } from "#base";
import type { Config } from "../config.ts";
import { listenError } from "../listen/listen-error.ts";
import type { Finding } from "./finding.ts";

/** How long what listens on the port has to answer, milliseconds. */
const ANSWER_MS = 3_000;

/** Whether a server could listen, or one does. */
export async function checkPort({ host, port }: Pick<Config, "host" | "port">): Promise<Finding> {
  const name = "port";
  const error = await listenError(host, port);
  if (!error) return { name, state: "ok", detail: port === 0 ? "any free one" : `${port} is free` };
  if (error.code !== "EADDRINUSE")
    return {
      name,
      state: "fault",
      detail: `${host}:${port} cannot be opened: ${error.code ?? error.message}`,
      fix: "choose another with --port or --host",
    };
  const state = await stateOf(localAddress(host, port));
  if (state === undefined)
    return {
      name,
      state: "fault",
      detail: `another program uses ${port}`,
      fix: "stop it, or choose another port with --port",
    };
  if (state.status === "ok") return { name, state: "ok", detail: `Frontdesk ${state.version} runs on ${port}` };
  return {
    name,
    state: "warning",
    detail: `Frontdesk ${state.version} on ${port} is not ready: ${state.status}`,
    fix: "see its log",
  };
}

/** What `/readyz` says; undefined when something else listens. */
async function stateOf(address: string): Promise<{ readonly status: string; readonly version: string } | undefined> {
  try {
    const response = await fetch(`${address}/readyz`, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const state: unknown = await response.json();
    if (!isJsonObject(state) || typeof state.version !== "string") return undefined;
    return { status: String(state.status), version: state.version };
  } catch {
    return undefined;
  }
}
