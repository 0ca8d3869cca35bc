import { Navigate } from "@tanstack/react-router";
import { parseAppName } from "../api/app-name.ts";
import { toRefusal } from "../api/refusal.ts";
import { useApps } from "../api/use-apps.ts";
import { Banner } from "../components/banner.tsx";
import { Busy } from "../components/busy.tsx";

/** Opens the first app to try it; without one, the list says how to get one. */
export function HomeRoute() {
  const apps = useApps();
  if (apps.error) return <Banner tone="bad" refusal={toRefusal(apps.error)} />;
  if (!apps.data) return <Busy>Reading the apps</Busy>;
  const [first] = apps.data;
  if (!first) return <Navigate to="/console" replace />;
  return (
    <Navigate
      to="/console/projects/$project/locations/$location/apps/$app"
      params={{ ...parseAppName(first.name) }}
      replace
    />
  );
}
