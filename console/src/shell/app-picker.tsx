import { useNavigate } from "@tanstack/react-router";
import { parseAppName } from "../api/app-name.ts";
import { useApps } from "../api/use-apps.ts";
import { Pick } from "../components/field.tsx";

/** Chooses among all apps; the one on screen is shown even while the list loads. */
export function AppPicker({ app }: { readonly app: string }) {
  const navigate = useNavigate();
  const apps = useApps().data ?? [];
  const choices = apps.map(({ name, displayName }) => ({ value: name, label: displayName || parseAppName(name).app }));
  const known = choices.some(({ value }) => value === app);
  return (
    <Pick
      label="App"
      hideLabel
      value={app}
      choices={known ? choices : [{ value: app, label: parseAppName(app).app }, ...choices]}
      onChange={(name) =>
        void navigate({
          to: "/console/projects/$project/locations/$location/apps/$app",
          params: { ...parseAppName(name) },
        })
      }
    />
  );
}
