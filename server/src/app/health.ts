import type { App } from "./build-app.ts";

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

/** Whether turns can be served: the start is over and the store takes writes. Says also which wall stands around user Python. */
export async function readyz(
  { storage, sandbox, models }: Pick<App, "storage" | "sandbox" | "models">,
  phase: Phase,
): Promise<Health> {
  const lines = [`model: ${models.status().defaultModel}`, sandboxLine(sandbox)];
  if (phase !== "serving") return report(503, [NOT_SERVING[phase], ...lines]);
  try {
    await storage.check();
    return report(200, ["ok", "storage: ok", ...lines]);
  } catch (error) {
    return report(503, [`storage: ${(error as Error).message}`, ...lines]);
  }
}

/** Everything that is counted, for Prometheus. */
export async function metricsPage({ text, contentType }: App["metrics"]): Promise<Health> {
  return { status: 200, body: await text(), contentType };
}

function sandboxLine(sandbox: App["sandbox"]): string {
  const { host, bubblewrap, guests, warning } = sandbox.status();
  return `sandbox: ${host}${bubblewrap ? " in bubblewrap" : ""}, ${guests} guests${warning ? ` (warning: ${warning})` : ""}`;
}

function report(status: number, lines: readonly string[]): Health {
  return { status, body: `${lines.join("\n")}\n` };
}
