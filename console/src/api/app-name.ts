/** The parts of `projects/{project}/locations/{location}/apps/{app}`. */
export interface AppPath {
  readonly project: string;
  readonly location: string;
  readonly app: string;
}

/** An app's resource name from its parts. */
export function formatAppName({ project, location, app }: AppPath): string {
  return `projects/${project}/locations/${location}/apps/${app}`;
}

/** The parts of an app's resource name. */
export function parseAppName(name: string): AppPath {
  const [, project = "", , location = "", , app = ""] = name.split("/");
  return { project, location, app };
}
