import type { A2aAgent } from "#a2a";
import { invalidArgument, notFound } from "#status";
import type { SnapshotResolver } from "../snapshot-resolver.ts";

/** The agents of this server by the names under which A2A clients address them. */
export interface A2aAgents {
  /**
   * An app, a version or a deployment by its resource name; "" is the agent for clients that name none (A2A-1). Whether it exists shows when
   * it is used. INVALID_ARGUMENT for a name of another form, NOT_FOUND when there is no agent for "".
   */
  of(tenant: string): Promise<A2aAgent>;
  /** The name of the agent for clients that name none; undefined when there is none. */
  defaultName(): Promise<string | undefined>;
}

interface A2aAgentsDeps {
  readonly snapshots: SnapshotResolver;
  /** The agent for clients that name none: the operator's, else the only app. */
  readonly defaultAgent: () => Promise<string | undefined>;
}

const TENANT = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)(?:\/(versions|deployments)\/[^/]+)?$/;

/** Creates the directory of agents. It keeps nothing: each name is looked up when it is used. */
export function createA2aAgents({ snapshots, defaultAgent }: A2aAgentsDeps): A2aAgents {
  return {
    defaultName: defaultAgent,
    async of(tenant) {
      const name = tenant === "" ? await defaultAgent() : tenant;
      if (name === undefined) throw notFound("the default agent", "ces.googleapis.com/App");
      const [, app, kind] = TENANT.exec(name) ?? [];
      if (!app)
        throw invalidArgument({ field: "tenant", description: `'${name}' is not the name of an agent. Use ${FORMS}.` });
      const snapshot: A2aAgent["snapshot"] = (session) =>
        kind === "versions"
          ? snapshots.ofVersion(name)
          : snapshots.forSession({ session, deployment: kind === "deployments" ? name : "" });
      return { tenant: name, app, snapshot };
    },
  };
}

const FORMS =
  "projects/{project}/locations/{location}/apps/{app}, with /versions/{version} or /deployments/{deployment} behind it if you like";
