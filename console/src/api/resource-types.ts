import type { DescMessage, Message } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { type AppVersion, AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { type Deployment, DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { type Example, ExampleSchema } from "@frontdesk/protos/ces/example";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { agentService } from "./clients.ts";
import type { FieldErrors } from "./field-errors.ts";
import { waitForOperation } from "./operations.ts";
import { toolNameErrors, toolsetNameErrors } from "./tool-name.ts";

/** What every resource of an app has. */
export type Resource = Message & { readonly name: string; readonly displayName: string; readonly etag: string };

/** The collections of an app that the console edits, as resource names spell them. */
type Collection =
  | "agents"
  | "tools"
  | "toolsets"
  | "guardrails"
  | "examples"
  | "deployments"
  | "versions"
  | "evaluations"
  | "scheduledEvaluationRuns";

/** How one kind of resource is listed, read and written, and its label. */
export interface ResourceType<Kind extends Resource = Resource> {
  readonly collection: Collection | "apps";
  /** E.g. "agent"; also the name of its field in requests, which errors put before the names of its fields. */
  readonly singular: string;
  readonly field: string;
  readonly schema: DescMessage;
  list(parent: string): Promise<readonly Kind[]>;
  get(name: string): Promise<Kind>;
  create(parent: string, resource: Kind): Promise<Kind>;
  /** Writes the fields of the mask; a stale etag is rejected (AIP-154). */
  update(resource: Kind, mask: readonly string[]): Promise<Kind>;
  /** Errors of an edited resource, by field, that are reported before anything is sent. Absent: the server alone decides. */
  validate?(resource: Kind, before: Kind): FieldErrors;
  /** With `force` the references of others to it go, too. */
  remove(resource: Kind, force: boolean): Promise<void>;
}

/** Reads a list to its end. */
export async function listAllPages<Kind>(
  page: (pageToken: string) => Promise<{ readonly items: readonly Kind[]; readonly next: string }>,
): Promise<readonly Kind[]> {
  const items: Kind[] = [];
  let token = "";
  do {
    const { items: more, next } = await page(token);
    items.push(...more);
    token = next;
  } while (token !== "");
  return items;
}

/** Agents of an app. */
export const agents: ResourceType<Agent> = {
  collection: "agents",
  singular: "agent",
  field: "agent",
  schema: AgentSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listAgents({ parent, pageSize: 1000, pageToken });
      return { items: page.agents, next: page.nextPageToken };
    }),
  get: (name) => agentService.getAgent({ name }),
  create: (parent, agent) => agentService.createAgent({ parent, agent }),
  update: (agent, paths) => agentService.updateAgent({ agent, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteAgent({ name, etag, force });
  },
};

/** Tools of an app. */
export const tools: ResourceType<Tool> = {
  collection: "tools",
  singular: "tool",
  field: "tool",
  schema: ToolSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listTools({ parent, pageSize: 1000, pageToken });
      return { items: page.tools, next: page.nextPageToken };
    }),
  get: (name) => agentService.getTool({ name }),
  create: (parent, tool) => agentService.createTool({ parent, tool }),
  validate: toolNameErrors,
  update: (tool, paths) => agentService.updateTool({ tool, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteTool({ name, etag, force });
  },
};

/** Everything an agent can list as a tool: those of the app, and the system's, which exist in every app. */
export const offeredTools = {
  collection: "offeredTools",
  list: (parent: string) =>
    listAllPages(async (pageToken) => {
      const filter = "include_system_tools=true";
      const page = await agentService.listTools({ parent, pageSize: 1000, pageToken, filter });
      return { items: page.tools, next: page.nextPageToken };
    }),
  get: tools.get,
};

/** Toolsets of an app. */
export const toolsets: ResourceType<Toolset> = {
  collection: "toolsets",
  singular: "toolset",
  field: "toolset",
  schema: ToolsetSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listToolsets({ parent, pageSize: 1000, pageToken });
      return { items: page.toolsets, next: page.nextPageToken };
    }),
  get: (name) => agentService.getToolset({ name }),
  create: (parent, toolset) => agentService.createToolset({ parent, toolset }),
  validate: toolsetNameErrors,
  update: (toolset, paths) => agentService.updateToolset({ toolset, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteToolset({ name, etag, force });
  },
};

/** Guardrails of an app. */
export const guardrails: ResourceType<Guardrail> = {
  collection: "guardrails",
  singular: "guardrail",
  field: "guardrail",
  schema: GuardrailSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listGuardrails({ parent, pageSize: 1000, pageToken });
      return { items: page.guardrails, next: page.nextPageToken };
    }),
  get: (name) => agentService.getGuardrail({ name }),
  create: (parent, guardrail) => agentService.createGuardrail({ parent, guardrail }),
  update: (guardrail, paths) => agentService.updateGuardrail({ guardrail, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteGuardrail({ name, etag, force });
  },
};

/** Examples of an app. */
export const examples: ResourceType<Example> = {
  collection: "examples",
  singular: "example",
  field: "example",
  schema: ExampleSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listExamples({ parent, pageSize: 1000, pageToken });
      return { items: page.examples, next: page.nextPageToken };
    }),
  get: (name) => agentService.getExample({ name }),
  create: (parent, example) => agentService.createExample({ parent, example }),
  update: (example, paths) => agentService.updateExample({ example, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }) => {
    await agentService.deleteExample({ name, etag });
  },
};

/** Versions of an app: frozen, so nothing in them is ever changed. */
export const versions: Omit<ResourceType<AppVersion>, "update"> = {
  collection: "versions",
  singular: "version",
  field: "appVersion",
  schema: AppVersionSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listAppVersions({ parent, pageSize: 1000, pageToken });
      return { items: page.appVersions, next: page.nextPageToken };
    }),
  get: (name) => agentService.getAppVersion({ name }),
  create: (parent, appVersion) => agentService.createAppVersion({ parent, appVersion }),
  remove: async ({ name, etag }) => {
    await agentService.deleteAppVersion({ name, etag });
  },
};

/** Deployments of an app. */
export const deployments: ResourceType<Deployment> = {
  collection: "deployments",
  singular: "deployment",
  field: "deployment",
  schema: DeploymentSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listDeployments({ parent, pageSize: 1000, pageToken });
      return { items: page.deployments, next: page.nextPageToken };
    }),
  get: (name) => agentService.getDeployment({ name }),
  create: (parent, deployment) => agentService.createDeployment({ parent, deployment }),
  update: (deployment, paths) => agentService.updateDeployment({ deployment, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }) => {
    await agentService.deleteDeployment({ name, etag });
  },
};

/** Apps of a location. Creating and deleting one is an operation; both wait for its end. */
export const apps: ResourceType<App> = {
  collection: "apps",
  singular: "app",
  field: "app",
  schema: AppSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await agentService.listApps({ parent, pageSize: 1000, pageToken });
      return { items: page.apps, next: page.nextPageToken };
    }),
  get: (name) => agentService.getApp({ name }),
  create: async (parent, app) => waitForOperation(await agentService.createApp({ parent, app }), AppSchema),
  update: (app, paths) => agentService.updateApp({ app, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }) => {
    await waitForOperation(await agentService.deleteApp({ name, etag }), EmptySchema);
  },
};
