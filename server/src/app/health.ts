import type { App } from "./build-app.ts";
import { VERSION } from "./version.ts";

/** What `/healthz`, `/readyz` and `/metrics` answer. */
export interface Health {
  readonly status: number;
  readonly body: string;
  /** Default plain text. */
  readonly contentType?: string;
}

/** The process is alive: nothing else is asked. */
export function healthz(): Health {
  return { status: 200, body: "ok\n" };
}

/** Where the server is between its start and its end. */
export type Phase = "starting" | "serving" | "draining";

const NOT_SERVING: Readonly<Record<Exclude<Phase, "serving">, string>> = {
  starting: "starting: the example is being imported",
  draining: "draining: the server is stopping",
};

/** What the server tells of itself: to a person in lines, to a program as JSON. Never a key, only where one came from. */
interface State {
  /** `ok`, or why turns cannot be served. */
  readonly status: string;
  readonly version: string;
  /** `ok`, what is wrong with it, or `not asked` while the server does not serve. */
  readonly storage: string;
  readonly models: ReturnType<App["models"]["status"]>;
  readonly sandbox: ReturnType<App["sandbox"]["status"]>;
}

/**
 * Whether turns can be served: the start is over and the store takes writes. Says also which model answers and which wall
 * stands around user Python. As JSON when `accept` asks for it (docs/configuration.md, "Health and metrics").
 */
export async function readyz(
  app: Pick<App, "storage" | "sandbox" | "models">,
  phase: Phase,
  accept = "",
): Promise<Health> {
  const state = await stateOf(app, phase);
  const status = state.status === "ok" ? 200 : 503;
  return accept.includes("application/json")
    ? { status, body: `${JSON.stringify(state)}\n`, contentType: "application/json; charset=utf-8" }
    : { status, body: `${linesOf(state).join("\n")}\n` };
}

async function stateOf({ storage, sandbox, models }: Parameters<typeof readyz>[0], phase: Phase): Promise<State> {
  const rest = { version: VERSION, models: models.status(), sandbox: sandbox.status() };
  if (phase !== "serving") return { status: NOT_SERVING[phase], storage: "not asked", ...rest };
  const fault = await storage.check().then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { status: fault ? `storage: ${fault}` : "ok", storage: fault ?? "ok", ...rest };
}

function linesOf({ status, storage, models, sandbox }: State): readonly string[] {
  const { host, bubblewrap, guests, warning } = sandbox;
  return [
    status,
    ...(status === "ok" ? [`storage: ${storage}`] : []),
    `model: ${models.defaultModel}`,
    `sandbox: ${host}${bubblewrap ? " in bubblewrap" : ""}, ${guests} guests${warning ? ` (warning: ${warning})` : ""}`,
  ];
}

/** Everything that is counted, for Prometheus. */
export async function metricsPage({ text, contentType }: App["metrics"]): Promise<Health> {
  return { status: 200, body: await text(), contentType };
}
