import { Navigate } from "@tanstack/react-router";
import { parseAppName } from "../api/app-name.ts";
import { toRefusal } from "../api/refusal.ts";
import { useApps } from "../api/use-apps.ts";
import { Notice } from "../components/notice.tsx";

/** Opens the first app; without one, says how to get one. */
export function HomeRoute() {
  const apps = useApps();
  if (apps.error) return <Notice title="The apps could not be listed" refusal={toRefusal(apps.error)} />;
  if (!apps.data) return null;
  const [first] = apps.data;
  if (!first) {
    return (
      <Notice title="No app yet">
        Import one with <code>npx frontdesk import &lt;folder or zip&gt;</code>, then reload this page.
      </Notice>
    );
  }
  return (
    <Navigate
      to="/console/projects/$project/locations/$location/apps/$app"
      params={{ ...parseAppName(first.name) }}
      replace
    />
  );
}
