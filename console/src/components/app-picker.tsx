import { useNavigate } from "@tanstack/react-router";
import { parseAppName } from "../api/app-name.ts";
import { useApps } from "../api/use-apps.ts";

/** Chooses among all apps; the one on screen is shown even while the list loads. */
export function AppPicker({ app }: { readonly app: string }) {
  const navigate = useNavigate();
  const apps = useApps().data ?? [];
  const open = (name: string) =>
    navigate({ to: "/console/projects/$project/locations/$location/apps/$app", params: { ...parseAppName(name) } });
  return (
    <label className="picker">
      <span>App</span>
      <select value={app} onChange={(event) => void open(event.target.value)}>
        {apps.every(({ name }) => name !== app) && <option value={app}>{parseAppName(app).app}</option>}
        {apps.map(({ name, displayName }) => (
          <option key={name} value={name}>
            {displayName}
          </option>
        ))}
      </select>
    </label>
  );
}
