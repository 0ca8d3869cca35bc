import { useApps } from "./use-apps.ts";

/** The project of a server that has no apps yet. */
const FIRST = "projects/local";

/** The projects of the apps that the person sees, by name. */
export function useProjects(): readonly string[] {
  const apps = useApps().data ?? [];
  const names = new Set(apps.map(({ name }) => name.split("/").slice(0, 2).join("/")));
  return names.size === 0 ? [FIRST] : [...names].toSorted();
}
