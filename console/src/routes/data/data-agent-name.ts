/** The parts of `projects/{project}/locations/{location}/dataAgents/{agent}`. */
export interface DataAgentPath {
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
