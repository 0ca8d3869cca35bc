import type { IncomingMessage } from "node:http";
import { SERVER } from "#access";
import { type HandlerDeps, identifySender } from "#protocols";
import { challengeOf, httpStatusOf, toErrorBody, toStatusError } from "#status";
import type { App } from "./build-app.ts";
import { VERSION } from "./version.ts";

/** A response of `/healthz`, `/livez`, `/readyz` or `/metrics`. */
export interface Health {
  readonly status: number;
  readonly body: string;
  /** Default plain text. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The permission on the server to read its metrics, which are of all projects together (IAM-18). */
const READ_METRICS = "monitoring.timeSeries.list";

/** The pages of a server's state. Probes need no credential. */
export function createHealthHandler(app: App, phase: () => Phase, deps: HandlerDeps) {
  app.readiness.follow(async () => {
    const fault = await faultOf(app, phase());
    if (fault === undefined) return "serving";
    return fault.part === "draining" ? "stopping" : "not serving";
  });
  return async (path: string, request: IncomingMessage): Promise<Health> => {
    if (path === "/healthz" || path === "/livez") return healthz();
    if (path === "/readyz") return readyz(app, phase(), request.headers.accept ?? "");
    try {
      await app.access.require(await identifySender(request, deps), READ_METRICS, SERVER);
      return await metricsPage(app.metrics);
    } catch (error) {
      return refusal(error);
    }
  };
}

function refusal(error: unknown): Health {
  const statusError = toStatusError(error);
  const challenge = challengeOf(statusError);
  return {
    status: httpStatusOf(statusError),
    body: JSON.stringify(toErrorBody(statusError)),
    contentType: "application/json; charset=UTF-8",
    ...(challenge !== undefined && { headers: { "www-authenticate": challenge } }),
  };
}

/** Liveness: the process responds. */
function healthz(): Health {
  return { status: 200, body: "ok\n" };
}

/** The phase of the server's life. */
export type Phase = "starting" | "serving" | "draining";

const NOT_SERVING: Readonly<Record<Exclude<Phase, "serving">, string>> = {
  starting: "the example is being imported",
  draining: "the server is stopping",
};

/** Why the server takes no calls. */
interface Fault {
  readonly part: keyof typeof NOT_SERVING | "storage" | "clock" | "audit";
  readonly message: string;
}

/** The state of the server, as lines or as JSON. It has no keys, only where they came from. */
interface State {
  /** `ok`, or why the server is not ready. */
  readonly status: string;
  readonly version: string;
  /** `ok`, an error, or `not asked` while the server is not serving. */
  readonly storage: string;
  /** `ok`, or why the clock is doubted: nothing is erased (DB-25). */
  readonly clock: string;
  /** `ok`, or why entries of the audit log wait. */
  readonly audit: string;
  /** Whether callers must be known. */
  readonly authentication: App["authentication"]["mode"];
  readonly models: ReturnType<App["models"]["status"]>;
  readonly sandbox: ReturnType<App["sandbox"]["status"]>;
}

/**
 * Readiness: the start is over and the storage accepts writes. Also names the default model and the isolation backend of user Python.
 * JSON when `accept` has it (docs/configuration.md, "Health and metrics").
 */
async function readyz(
  app: Pick<App, "audit" | "auditRequired" | "storage" | "clockWatch" | "sandbox" | "models" | "authentication">,
  phase: Phase,
  accept = "",
): Promise<Health> {
  const state = await stateOf(app, phase);
  const status = state.status === "ok" ? 200 : 503;
  return accept.includes("application/json")
    ? { status, body: `${JSON.stringify(state)}\n`, contentType: "application/json; charset=utf-8" }
    : { status, body: `${linesOf(state).join("\n")}\n` };
}

async function stateOf(app: Parameters<typeof readyz>[0], phase: Phase): Promise<State> {
  const { sandbox, models, authentication } = app;
  const fault = await faultOf(app, phase);
  const status = fault ? `${fault.part}: ${fault.message}` : "ok";
  const rest = {
    ...{ version: VERSION, audit: auditFaultOf(app) ?? "ok", authentication: authentication.mode },
    ...{ models: models.status(), sandbox: sandbox.status() },
  };
  if (phase !== "serving") return { status, storage: "not asked", clock: "not asked", ...rest };
  const clock = await app.clockWatch.doubt().then(
    (doubt) => doubt?.rawMessage ?? "ok",
    () => "not known",
  );
  return { status, storage: fault?.part === "storage" ? fault.message : "ok", clock, ...rest };
}

/** Why entries of the audit log wait, and how many; undefined while none has to. */
function auditFaultOf({ audit }: Pick<App, "audit">): string | undefined {
  const faults = audit
    .state()
    .flatMap(({ place, waiting, fault }) =>
      fault === undefined ? [] : [`${place}: ${fault} (${waiting} entries wait)`],
    );
  return faults.length > 0 ? faults.join("; ") : undefined;
}

/** Undefined while the server takes calls. It takes none where nothing may be written: the storage takes no writes, the clock is wrong (DB-26), or the audit log must be complete and waits. */
async function faultOf(
  app: Pick<App, "audit" | "auditRequired" | "storage" | "clockWatch">,
  phase: Phase,
): Promise<Fault | undefined> {
  if (phase !== "serving") return { part: phase, message: NOT_SERVING[phase] };
  try {
    await app.storage.check();
    const clock = await app.clockWatch.fault();
    if (clock !== undefined) return { part: "clock", message: clock };
  } catch (error) {
    return { part: "storage", message: (error as Error).message };
  }
  const audit = app.auditRequired ? auditFaultOf(app) : undefined;
  return audit === undefined ? undefined : { part: "audit", message: audit };
}

function linesOf({ status, storage, clock, audit, authentication, models, sandbox }: State): readonly string[] {
  const { host, bubblewrap, guests, warning } = sandbox;
  return [
    status,
    ...(status === "ok" ? [`storage: ${storage}`] : []),
    ...(status === "ok" && clock !== "ok" ? [`clock: ${clock}`] : []),
    ...(status === "ok" && audit !== "ok" ? [`audit: ${audit}`] : []),
    `authentication: ${authentication}`,
    `model: ${models.defaultModel}`,
    `sandbox: ${host}${bubblewrap ? " in bubblewrap" : ""}, ${guests} guests${warning ? ` (warning: ${warning})` : ""}`,
  ];
}

/** All metrics, for Prometheus. */
async function metricsPage({ text, contentType }: App["metrics"]): Promise<Health> {
  return { status: 200, body: await text(), contentType };
}
