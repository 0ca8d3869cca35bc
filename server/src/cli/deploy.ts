import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ChannelProfile_ChannelType as Channel } from "@frontdesk/protos/ces/common";
import {
  type Deployment,
  DeploymentSchema,
  type ExperimentConfigSchema,
  ExperimentConfig_State as State,
} from "@frontdesk/protos/ces/deployment";
import type { JsonObject } from "#base";
import { Code, ConnectError } from "#status";
import { appName } from "./app-name.ts";
import { checkNewVersionName, versionName } from "./app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { deploymentOfId, findDeployment } from "./deployment-name.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { callServer, clientFor } from "./server/server-client.ts";

type Agents = Client<typeof AgentService>;

/** `frontdesk deploy`: makes a version of a draft, and lets a deployment run it, for all sessions or a share of them. */
export const deploy: Command = {
  name: "deploy",
  operands: "<app> [deployment]",
  summary: "make a version of an app and let a deployment run it (default: production, made when it is missing)",
  flags: [
    { name: "version-name", value: "text", summary: "display name of the new version (default: the time)" },
    { name: "description", value: "text", summary: "what is new in the version", mayBeEmpty: true },
    { name: "app-version", value: "name", summary: "deploy this version, by id or display name, and make none" },
    {
      name: "traffic",
      value: "percent",
      summary: "share of new sessions for the version; the others stay (default 100)",
    },
    { name: "dry-run", summary: "say what would change, and change nothing" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "deploy order-desk",
    'deploy order-desk web --version-name "returns" --traffic 10',
    "deploy order-desk web --app-version returns --traffic 100",
  ],
  run: async (input) => {
    const [app, deployment = "production", ...others] = input.positionals;
    if (!app || others.length > 0) throw new CommandError("name one app, and its deployment.");
    const traffic = trafficOf(input);
    const { flags } = input;
    return callServer(input, () => deployApp({ app: appName(app, input), deployment, traffic, flags }));
  },
};

interface Settings {
  readonly appVersion: string;
  readonly experimentConfig?: MessageInitShape<typeof ExperimentConfigSchema>;
}

interface Plan {
  readonly app: string;
  /** Id or display name. */
  readonly deployment: string;
  /** Percent. */
  readonly traffic: number;
  readonly flags: CommandInput["flags"];
}

async function deployApp({ app, deployment, traffic, flags }: Plan): Promise<number> {
  const client = clientFor(AgentService, { flags });
  const found = await findDeployment(app, deployment, client);
  if (traffic < 100 && !found?.appVersion)
    throw new CommandError(`'${deployment}' runs no version that could keep the other ${100 - traffic} %.`);
  const isDry = flags["dry-run"] === true;
  const version = await versionToDeploy(app, isDry, client, flags);
  const wanted = settings(version, traffic, found);
  const deployed = isDry
    ? create(DeploymentSchema, { ...wanted, name: found?.name ?? deploymentOfId(app, deployment) ?? "" })
    : await store(found, wanted, deployment, app, client);
  const said = found ? `${isDry ? "would run" : "runs"}` : `${isDry ? "would be made, and run" : "is new, and runs"}`;
  const share = traffic === 100 ? "all new sessions" : `${traffic} % of new sessions`;
  printResult(flags, {
    value: { ...(toJson(DeploymentSchema, deployed) as JsonObject), deployedVersion: version },
    text: `${deployed.name || `'${deployment}'`} ${said} ${version} for ${share}.`,
  });
  return 0;
}

/** The version's name; a new one is made for it unless the command line names one. */
async function versionToDeploy(
  app: string,
  isDry: boolean,
  client: Agents,
  flags: CommandInput["flags"],
): Promise<string> {
  const named = flags["app-version"];
  if (typeof named === "string") return versionName(app, named, { positionals: [], flags });
  const now = new Date().toISOString().replace("T", " ");
  const displayName = String(flags["version-name"] ?? now.slice(0, 23));
  if (flags["version-name"] !== undefined) await checkNewVersionName(app, displayName, { positionals: [], flags });
  if (isDry) return `a new version '${displayName}'`;
  const appVersion = { displayName, description: String(flags.description ?? "") };
  return (await client.createAppVersion({ parent: app, appVersion })).name;
}

/** All sessions, or a share of them beside those of the version that runs now. */
function settings(version: string, traffic: number, found: Deployment | undefined): Settings {
  if (traffic === 100 || !found) return { appVersion: version };
  const trafficAllocations = [
    { id: "new", trafficPercentage: traffic, appVersion: version },
    { id: "before", trafficPercentage: 100 - traffic, appVersion: found.appVersion },
  ];
  return {
    appVersion: found.appVersion,
    experimentConfig: { versionRelease: { state: State.RUNNING, trafficAllocations } },
  };
}

async function store(
  found: Deployment | undefined,
  wanted: Settings,
  displayName: string,
  app: string,
  client: Agents,
): Promise<Deployment> {
  if (found) {
    const updateMask = create(FieldMaskSchema, { paths: ["app_version", "experiment_config"] });
    return client.updateDeployment({ deployment: { ...wanted, name: found.name, etag: found.etag }, updateMask });
  }
  const deployment = { ...wanted, displayName, channelProfile: { channelType: Channel.API } };
  const request = { parent: app, deploymentId: deploymentOfId(app, displayName) ? displayName : "", deployment };
  return client.createDeployment(request).catch((error: unknown) => {
    if (!(error instanceof ConnectError) || error.code !== Code.InvalidArgument) throw error;
    throw new CommandError(`the deployment '${displayName}' cannot be made: ${error.rawMessage}`);
  });
}

function trafficOf({ flags: { traffic = "100" } }: CommandInput): number {
  const percent = Number(traffic);
  if (Number.isInteger(percent) && percent >= 1 && percent <= 100) return percent;
  throw new CommandError(`--traffic is '${traffic}'; use a number from 1 to 100.`);
}
