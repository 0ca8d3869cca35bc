import { create } from "@bufbuild/protobuf";
import { AnySchema, anyUnpack } from "@bufbuild/protobuf/wkt";
import { type ExportAppResponse, ExportAppResponseSchema } from "@frontdesk/protos/ces/agent_service";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import { definedFields, type JsonObject, textOrEmpty } from "#base";
import type { RegisteredMethod } from "#rpc";
import { alreadyExists, Code, ConnectError, invalidArgument } from "#status";
import { hostedAnnotations, kindOf } from "./annotations.ts";
import { type MethodCalls, unknownArgument } from "./method-calls.ts";
import type { Tool, ToolCall } from "./tool.ts";
import { resultText } from "./tool-result.ts";

/** A tool of the hosted server without a method of its own: simpler arguments for a published method. */
interface McpOnly {
  readonly name: string;
  readonly description: string;
  /** Service and method that it calls, e.g. `AgentService.ExportApp`. */
  readonly method: string;
  /** No argument is marked as required, as in the hosted product; the call fails without the required ones. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly output: JsonObject;
  request(args: JsonObject, lookups: Lookups): Promise<JsonObject> | JsonObject;
  result(operation: Operation, json: JsonObject): JsonObject;
}

/** What a tool may look up before its call. */
interface Lookups {
  exists(app: string): Promise<boolean>;
}

const TEXT: JsonObject = { type: "string" };
const LOCATION = { projectId: TEXT, locationId: TEXT };

/** `McpService` of the hosted server (MCP-3), on the published methods. */
const MCP_ONLY: readonly McpOnly[] = [
  {
    name: "start_export_app",
    description:
      "Starts an export of an app as a zip of YAML files. Use it to copy or read a whole app; then call get_operation until done: response.appContent is the zip, base64. Example appId: my-app",
    method: "AgentService.ExportApp",
    properties: { ...LOCATION, appId: TEXT },
    output: { name: TEXT, done: { type: "boolean" }, content: { type: "string", contentEncoding: "base64" } },
    request: (args) => ({ name: appName(args, ["projectId", "locationId", "appId"]), exportFormat: "YAML" }),
    result: (operation, json) => ({ ...head(json), ...exported(operation) }),
  },
  {
    name: "start_import_app",
    description:
      "Starts an import of a new app from a zip of configuration files. Use it for an app that does not exist yet, import_app to replace one; then call get_operation until done. Without appId the server chooses an id.",
    method: "AgentService.ImportApp",
    properties: { ...LOCATION, appId: TEXT, content: { type: "string", contentEncoding: "base64" } },
    output: { name: TEXT, done: { type: "boolean" }, status: { type: "object" } },
    request: async (args, { exists }) => {
      const parent = locationName(args, ["projectId", "locationId", "content"]);
      const appId = textOrEmpty(args.appId);
      const name = `${parent}/apps/${appId}`;
      if (appId !== "" && (await exists(name))) throw alreadyExists(name, "ces.googleapis.com/App");
      return { parent, ...(appId !== "" && { appId }), appContent: args.content ?? "" };
    },
    result: (_, json) => ({ ...head(json), ...definedFields({ status: json.error }) }),
  },
  {
    name: "run_evaluation",
    description:
      "Runs evaluations of an app in the background. Use it after a change, to see whether conversations still behave as expected; then call get_operation until done. Pass ids or resource names: some evaluations, or one dataset.",
    method: "EvaluationService.RunEvaluation",
    properties: {
      app: {
        type: "string",
        description: "Resource name of the app: projects/{project}/locations/{location}/apps/{app}",
      },
      evaluations: { type: "array", items: TEXT },
      evaluationDataset: TEXT,
      displayName: TEXT,
      appVersion: TEXT,
    },
    output: {
      name: TEXT,
      metadata: { type: "object" },
      done: { type: "boolean" },
      error: { type: "object" },
      response: { type: "object" },
    },
    request: runRequest,
    result: (_, json) => json,
  },
];

/** Creates the MCP-only tools whose methods are implemented. */
export function createMcpOnlyTools(methods: readonly RegisteredMethod[], calls: MethodCalls): readonly Tool[] {
  return MCP_ONLY.flatMap((plan) => {
    const method = methods.find(({ path }) => path.endsWith(`.${plan.method.replace(".", "/")}`));
    const getApp = methods.find(({ path }) => path.endsWith(".AgentService/GetApp"));
    return method && getApp ? [createTool(plan, method, getApp, calls)] : [];
  });
}

function createTool(plan: McpOnly, method: RegisteredMethod, getApp: RegisteredMethod, calls: MethodCalls): Tool {
  const { name, description, properties } = plan;
  return {
    name,
    kind: kindOf(name),
    hosted: true,
    methods: [method],
    listing: ({ outputs }) => {
      const outputSchema: JsonObject = { type: "object", properties: plan.output };
      return {
        name,
        description,
        inputSchema: { type: "object", properties },
        ...(outputs && { outputSchema }),
        annotations: hostedAnnotations(name),
      };
    },
    call: async (args, call) => {
      const accepted = Object.keys(properties);
      const unknown = Object.keys(args).filter((key) => !accepted.includes(key));
      if (unknown.length > 0) throw invalidArgument(unknown.map((key) => unknownArgument(key, accepted)));
      const exists = (app: string) => appExists(getApp, app, call, calls);
      const request = calls.read(method, await plan.request(args, { exists }));
      if (call.dryRun) {
        await calls.check(method, request, call);
        return resultText({ json: {}, texts: ["Dry run: nothing was changed. The arguments are valid."] });
      }
      const operation = (await calls.call(method, request, call)) as Operation;
      return resultText({ json: plan.result(operation, calls.render(method, operation) as JsonObject) });
    },
  };
}

async function appExists(getApp: RegisteredMethod, name: string, call: ToolCall, calls: MethodCalls): Promise<boolean> {
  try {
    await calls.call(getApp, calls.read(getApp, { name }), { ...call, progress: undefined });
    return true;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.NotFound) return false;
    throw error;
  }
}

function head({ name = "", done = false }: JsonObject): JsonObject {
  return { name, done };
}

function exported({ result }: Operation): JsonObject {
  const response =
    result.case === "response" ? anyUnpack(create(AnySchema, result.value), ExportAppResponseSchema) : undefined;
  const { app }: Partial<ExportAppResponse> = response ?? {};
  return app?.case === "appContent" ? { content: Buffer.from(app.value).toString("base64") } : {};
}

function runRequest(args: JsonObject): JsonObject {
  const { app, evaluations, evaluationDataset, appVersion, displayName } = args;
  const name = textOrEmpty(app);
  const fullName = (collection: string, id: string) => (id.includes("/") ? id : `${name}/${collection}/${id}`);
  const list = Array.isArray(evaluations)
    ? evaluations.map((each) => fullName("evaluations", textOrEmpty(each)))
    : evaluations;
  return {
    app: name,
    ...definedFields({ evaluations: list }),
    ...(textOrEmpty(evaluationDataset) !== "" && {
      evaluationDataset: fullName("evaluationDatasets", textOrEmpty(evaluationDataset)),
    }),
    ...(textOrEmpty(appVersion) !== "" && { appVersion: fullName("versions", textOrEmpty(appVersion)) }),
    ...definedFields({ displayName }),
  };
}

function appName(args: JsonObject, required: readonly string[]): string {
  return `${locationName(args, required)}/apps/${textOrEmpty(args.appId)}`;
}

function locationName(args: JsonObject, required: readonly string[]): string {
  const missing = required.filter((key) => textOrEmpty(args[key]) === "");
  if (missing.length > 0)
    throw invalidArgument(missing.map((field) => ({ field, description: "Required argument, a string." })));
  return `projects/${textOrEmpty(args.projectId)}/locations/${textOrEmpty(args.locationId)}`;
}
