import { useQuery } from "@tanstack/react-query";
import { useAppChanges } from "./app-changes.ts";
import { doesNotLoad } from "./does-not-load.ts";
import { readRest } from "./rest.ts";
import { appQuery } from "./use-resources.ts";

/** Collections of an app with code that does not load, by the last part of their address. */
type Failing = ReadonlySet<"agents" | "tools" | "guardrails">;

interface Validated {
  readonly validationErrors?: readonly string[];
}

/** Which collections of an app have code that does not load, from what the server validated. None without an app. */
export function useLoadFailures(app: string): Failing {
  useAppChanges(app);
  const query = appQuery(app, ["load-failures", app], () => readFailing(app));
  return useQuery({ ...query, enabled: app !== "" }).data ?? NONE;
}

const NONE: Failing = new Set();

/** Resources are large, so only their validation is requested. */
async function readFailing(app: string): Promise<Failing> {
  const [{ validationErrors = [] }, { agents = [] }] = await Promise.all([
    readRest<Validated>(`${app}?fields=validationErrors`),
    readRest<{ readonly agents?: readonly Validated[] }>(`${app}/agents?pageSize=1000&fields=agents(validationErrors)`),
  ]);
  const ofApp = validationErrors.filter(doesNotLoad);
  const ofAgents = agents.flatMap(({ validationErrors = [] }) => validationErrors).filter(doesNotLoad);
  return new Set([
    ...(ofAgents.length > 0 ? ["agents" as const] : []),
    ...(ofApp.some((sentence) => sentence.startsWith("Tool ")) ? ["tools" as const] : []),
    ...(ofApp.some((sentence) => sentence.startsWith("Guardrail ")) ? ["guardrails" as const] : []),
  ]);
}
