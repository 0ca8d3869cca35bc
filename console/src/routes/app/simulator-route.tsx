import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { formatAppName } from "../../api/resource-names.ts";
import { formatSessionIds, newSessionId, parseSessionIds } from "../../features/simulator/session-ids.ts";
import { Simulator } from "../../features/simulator/simulator.tsx";

const SIMULATOR = "/console/projects/$project/locations/$location/apps/$app/simulator";

/** The simulator of an app. The address contains the ids of its sessions, so a reload restores them. */
export function SimulatorRoute() {
  const path = useParams({ from: SIMULATOR });
  const app = formatAppName(path);
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const ids = parseSessionIds(typeof search.sessions === "string" ? search.sessions : undefined);
  const show = useCallback(
    (next: readonly string[]) =>
      void navigate({ to: ".", search: { sessions: formatSessionIds(next) } as never, replace: true }),
    [navigate],
  );
  const empty = ids.length === 0;
  useEffect(() => {
    if (empty) show([newSessionId()]);
  }, [empty, show]);
  if (empty) return null;
  return <Simulator key={app} app={app} ids={ids} onShow={show} />;
}
