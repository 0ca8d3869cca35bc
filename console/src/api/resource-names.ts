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

/** The page of a resource: pages mirror resource names. */
export function pagePath(name: string): string {
  return `/console/${name}`;
}

/** The last part of a resource name. */
export function resourceId(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** The app of something inside it. */
export function parentApp(name: string): string {
  return name.split("/").slice(0, 6).join("/");
}

/** The project and location of something inside them. */
export function locationOf(name: string): string {
  return name.split("/").slice(0, 4).join("/");
}

/** The evaluation of a result, by their names. */
export function evaluationOf(result: string): string {
  return result.slice(0, result.indexOf("/results/"));
}

/** The label of a resource: its display name, else its id. */
export function resourceTitle({ name, displayName }: { readonly name: string; readonly displayName: string }): string {
  return displayName || resourceId(name);
}

/** The parts of `projects/{project}/locations/{location}/dataAgents/{agent}`. */
interface DataAgentPath {
  readonly project: string;
  readonly location: string;
  readonly agent: string;
}

/** The parts of a data agent's resource name. */
export function parseDataAgent(name: string): DataAgentPath {
  const [, project = "", , location = "", , agent = ""] = name.split("/");
  return { project, location, agent };
}

/** A data agent's resource name from its parts. */
export function formatDataAgent({ project, location, agent }: DataAgentPath): string {
  return `projects/${project}/locations/${location}/dataAgents/${agent}`;
}
