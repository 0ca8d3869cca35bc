import { create } from "@bufbuild/protobuf";
import {
  ApiAuthenticationSchema,
  ApiKeyConfigSchema,
  ApiKeyConfig_RequestLocation as RequestLocation,
} from "@frontdesk/protos/ces/auth";
import type { OpenApiTool } from "@frontdesk/protos/ces/open_api_tool";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { type JsonObject, matchingNames } from "#base";
import { OutboundError, type OutboundRoute } from "#outbound";
import { failedPrecondition } from "#status";
import { authenticationProblems } from "../authentication-problems.ts";
import type { ToolCall, ToolContext, ToolOutcome } from "../contract.ts";
import { failed, NO_CHANGE, noticeLines } from "../outcomes.ts";
import { fromJsonSchema, toJsonSchema } from "../schema/json-schema.ts";
import type { KindDeps, ToolKind } from "../tool-kind.ts";
import { toolLimits } from "../tool-limits.ts";
import { toolName } from "../tool-name.ts";
import { buildRequest } from "./build-request.ts";
import { documentProblems } from "./document-problems.ts";
import type { OpenApiDocuments } from "./documents.ts";
import { functionInputs } from "./function-inputs.ts";
import type { Operation } from "./read-operation.ts";
import { readResponse } from "./read-response.ts";
import { baseUrl } from "./server-url.ts";

/** One operation of an OpenAPI document, called over HTTP by this server (open_api_tool.proto, TOOL-35). */
export const openApiTool: ToolKind<"openApiTool"> = {
  runs: "server",
  declare: async (definition, tool, { documents }) => {
    const selection = await selectOperation(definition, documents);
    if ("problem" in selection) {
      throw failedPrecondition(`Tool '${toolName(tool)}' cannot be offered: ${selection.problem}.`, {
        reason: "OPENAPI_SCHEMA_UNUSABLE",
        metadata: { tool: tool.name },
      });
    }
    const { operation } = selection;
    return {
      name: toolName(tool),
      description: clip(
        definition.description || operation.description || `${operation.method.toUpperCase()} ${operation.path}`,
      ),
      parameters: functionInputs(operation).parameters,
      ...(operation.response && { response: toJsonSchema(fromJsonSchema(operation.response)) }),
    };
  },
  nameOf: async (definition, { documents }) => {
    if (definition.name !== "") return undefined;
    const selection = await selectOperation(definition, documents);
    return "operation" in selection && selection.operation.id !== "" ? selection.operation.id : undefined;
  },
  problems: async (definition, _tool, { documents }) => {
    const document = await documents.read(definition);
    if (document.kind === "unreadable")
      return [`open_api_schema: ${document.problem}`, ...authenticationProblems(definition)];
    const selection = await selectOperation(definition, documents);
    return [
      ...("problem" in selection ? [`open_api_schema: ${selection.problem}`] : []),
      ...(await documentProblems(document, definition.url)),
      ...authenticationProblems(definition),
    ];
  },
  execute: async (definition, tool, call, context, deps) => {
    const startedAt = performance.now();
    const outcome = await callOperation(definition, tool, call, context, deps);
    return { ...outcome, durationMs: performance.now() - startedAt };
  },
};

/** The route of a call. An API key whose security scheme is a cookie is sent as one. */
function routeOf(definition: OpenApiTool, { cookieKeys }: Operation): OutboundRoute {
  const { authConfig } = definition.apiAuthentication ?? {};
  if (authConfig?.case !== "apiKeyConfig" || !cookieKeys.includes(authConfig.value.keyName)) return definition;
  const value = create(ApiKeyConfigSchema, { ...authConfig.value, keyName: `Cookie: ${authConfig.value.keyName}` });
  value.requestLocation = RequestLocation.HEADER;
  const apiAuthentication = create(ApiAuthenticationSchema, { authConfig: { case: "apiKeyConfig", value } });
  return { ...definition, apiAuthentication };
}

/** Longest function description that every provider accepts, characters. */
const MAX_DESCRIPTION = 1_024;

function clip(text: string): string {
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text;
}

async function callOperation(
  definition: OpenApiTool,
  tool: Tool,
  { args }: ToolCall,
  context: ToolContext,
  { outbound, documents }: KindDeps,
): Promise<ToolOutcome> {
  const selection = await selectOperation(definition, documents);
  if ("problem" in selection) return failed(`Tool '${toolName(tool)}' cannot be called: ${selection.problem}.`);
  const { operation } = selection;
  const base = baseUrl(operation.serverUrl, definition.url);
  if ("problem" in base) return failed(`Tool '${toolName(tool)}' cannot be called: ${base.problem}.`);
  const request = await buildRequest(operation, base.url, args, context);
  if (typeof request === "string") return failed(request);
  const route = routeOf(definition, operation);
  const output = noticeLines(ignoredArguments(operation, args), outbound.missingGoogleToken(request.url, route));
  try {
    const response = await outbound.fetch({ ...request, timeoutMs: toolLimits(tool).wallMs }, route, {
      app: context.app,
      variables: context.python.state,
      settings: context.settings,
      signal: context.signal,
    });
    const read = readResponse(operation, response, definition.ignoreUnknownFields);
    if (read.kind === "error") return failed(read.error, { output });
    return { kind: "answered", response: read.response, durationMs: 0, output, state: NO_CHANGE };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof OutboundError)
      return failed(`Calling '${toolName(tool)}' failed: ${error.message}`, { output });
    throw error;
  }
}

/** What the trace says of arguments that the operation does not have: the request goes without them. */
function ignoredArguments(operation: Operation, args: JsonObject): string | undefined {
  const known = new Set(functionInputs(operation).inputs.map(({ name }) => name));
  const ignored = Object.keys(args).filter((name) => !known.has(name));
  if (ignored.length === 0) return undefined;
  return `Arguments that ${operation.id || "the operation"} does not have were left out: ${clip(ignored.join(", "))}.`;
}

/** The operation of a tool, or why it has none: a sentence without a full stop. */
type OperationSelection = { readonly operation: Operation } | { readonly problem: string };

/** The operation of a tool: the only one of its document, else the one whose operationId is the tool's name. */
function selectOperation(definition: OpenApiTool, documents: OpenApiDocuments): Promise<OperationSelection> {
  let selection = selections.get(definition);
  if (!selection) {
    selection = select(definition, documents);
    selections.set(definition, selection);
  }
  return selection;
}

/** Sets the operation of a toolset's tool, whose document has been parsed already. The operation is read on first use. */
export function presetOperation(definition: OpenApiTool, read: () => Operation): void {
  const selection = {
    get operation() {
      return read();
    },
  };
  selections.set(definition, Promise.resolve(selection));
}

const selections = new WeakMap<OpenApiTool, Promise<OperationSelection>>();

async function select(definition: OpenApiTool, documents: OpenApiDocuments): Promise<OperationSelection> {
  const document = await documents.read(definition);
  if (document.kind === "unreadable") return { problem: document.problem };
  const { operations } = document;
  const [only, another] = operations;
  const [match, ambiguous] =
    definition.name === "" ? [] : matchingNames(definition.name, [...new Set(operations.map(({ id }) => id))]);
  const named = ambiguous === undefined ? operations.find(({ id }) => id === match) : undefined;
  const found = another ? named : only;
  if (found) return { operation: found.read() };
  if (!only) return { problem: "the schema has no operations" };
  const ids = operations.slice(0, 10).map(({ id }) => id || "(none)");
  return {
    problem: `the schema has ${operations.length} operations and none has the operationId '${definition.name}' (it has ${ids.join(", ")}); name one, or make it a toolset`,
  };
}
