// Entry point of the engine process: it opens DuckDB as the first message says, then answers calls. It ends with its server.
import { type LocalDuckdb, openLocalDuckdb } from "../local-duckdb.ts";
import { isExhausted, toEngineError } from "./engine-error.ts";
import type { EngineApi, FromEngine, ToEngine } from "./protocol.ts";
import { serveEngine } from "./serve-engine.ts";

const running = new Map<number, AbortController>();
let api: EngineApi | undefined;

process.on("disconnect", () => process.exit());
process.on("message", (message: ToEngine) => {
  if (message.kind === "cancel") running.get(message.id)?.abort();
  else if (message.kind === "configure") void open(openLocalDuckdb(message.config));
  else void answer(message);
});

async function open(opening: Promise<LocalDuckdb>): Promise<void> {
  try {
    api = serveEngine(await opening);
    send({ kind: "ready" });
  } catch (error) {
    send({ kind: "ready", error: toEngineError(error) });
    process.disconnect();
  }
}

async function answer({ id, method, args }: Extract<ToEngine, { kind: "call" }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    // biome-ignore lint/suspicious/noExplicitAny: the server's side of the protocol is typed by method
    const value = await (api as any)[method](...args, controller.signal);
    send({ kind: "result", id, value });
  } catch (error) {
    send({ kind: "error", id, error: toEngineError(error), exhausted: isExhausted(error) });
  } finally {
    running.delete(id);
  }
}

function send(message: FromEngine): void {
  process.send?.(message);
}
