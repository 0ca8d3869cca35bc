import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DescField, type DescMessage, type DescMethod, fromJson, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { referenceOf, resourceTypeOf } from "#aip";
import { isJsonObject, type JsonObject } from "#base";
import type { RegisteredMethod } from "#rpc";
import type { TestServer } from "#testing";
import { setRoles, startAccessServer, tokenOf } from "./access-server.ts";
import { samplesOf } from "./sample-requests.ts";

let server: TestServer;
let transport: Transport;
before(async () => {
  server = await startAccessServer(["gus"]);
  await setRoles(server, "projects/globex", { "roles/owner": ["gus"] });
  transport = createGrpcTransport({ baseUrl: server.address });
});
after(() => server[Symbol.asyncDispose]());

type FieldPath = readonly DescField[];

function pathsOf(type: DescMessage, above: FieldPath = []): readonly FieldPath[] {
  if (/^google\.(protobuf|rpc|api|type)\./.test(type.typeName) || above.length > 8) return [];
  if (above.some((field) => field.parent === type)) return [];
  return type.fields.flatMap((field) => {
    const path = [...above, field];
    if (isText(field)) return [path];
    return field.message ? pathsOf(field.message, path) : [];
  });
}

const STRING = 9;
const isText = (field: DescField) =>
  field.fieldKind === "scalar" || field.fieldKind === "list" || field.fieldKind === "map"
    ? "scalar" in field && field.scalar === STRING
    : false;

/** The JSON of a message with a text in a field, however deep, the rest as in `json`. */
function withText(json: JsonObject, [field, ...rest]: FieldPath, text: string): JsonObject {
  assert.ok(field);
  const below = json[field.jsonName];
  const value = rest.length === 0 ? text : withText(isJsonObject(below) ? below : {}, rest, text);
  const kinds: JsonObject = { list: [value], map: { key: value } };
  // One member of a oneof is sent.
  const others = new Set(field.oneof?.fields.map(({ jsonName }) => jsonName));
  const kept = Object.fromEntries(Object.entries(json).filter(([key]) => !others.has(key)));
  return { ...kept, [field.jsonName]: kinds[field.fieldKind] ?? value };
}

/** The names of what an answer of PERMISSION_DENIED was about; undefined for any other answer. */
async function refusedFor(method: DescMethod, request: Message): Promise<string | undefined> {
  const headers = new Headers({ authorization: `Bearer ${tokenOf("gus")}` });
  const requests = (async function* () {
    yield request;
  })();
  try {
    if (method.methodKind === "unary")
      await transport.unary(method as never, undefined, undefined, headers, request as never);
    else {
      const { message } = await transport.stream(method as never, undefined, undefined, headers, requests as never);
      await message[Symbol.asyncIterator]().next();
    }
    return undefined;
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    if (error.code !== Code.PermissionDenied) return undefined;
    return error.findDetails(ErrorInfoSchema)[0]?.metadata.resource;
  }
}

interface Reference {
  readonly method: RegisteredMethod;
  readonly json: JsonObject;
  readonly path: FieldPath;
  readonly field: DescField;
  /** A resource of another project, of the type that the field names or may name. */
  readonly name: string;
}

/** Every field of every request that names a resource besides the one that the method is about, by its annotation or by what it is called. */
function references(): readonly Reference[] {
  const { access, registry } = server.app;
  const methods = registry.methods.filter(({ implemented, revision }) => implemented && revision === "v1beta");
  const names = foreignNames(methods.flatMap(({ internalMethod: { input, output } }) => [input, output]));
  return methods.flatMap((method) => {
    const { input } = method.internalMethod;
    const sample = JSON.stringify(samplesOf(method.method, method.internalMethod)[0]?.json);
    const json = JSON.parse(sample.replaceAll("projects/acme", "projects/globex")) as JsonObject;
    return pathsOf(input).flatMap((path) => {
      const field = path.at(-1);
      const name = field && nameIn(field, names);
      if (!name || access.resourceOf(method.internalMethod, fromJson(input, withText({}, path, name))) !== "")
        return [];
      return [{ method, json, path, field, name }];
    });
  });
}

/** Resources of the project acme, by their types. */
function foreignNames(messages: readonly DescMessage[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const seen = new Set<DescMessage>();
  const visit = (type: DescMessage): void => {
    if (seen.has(type)) return;
    seen.add(type);
    const found = resourceTypeOf(type);
    const text = found?.patterns[0].text.replace("{project}", "acme").replace(/\{\w+\}/g, "theirs");
    if (found && text) names.set(found.type, text);
    for (const { message } of type.fields) if (message) visit(message);
  };
  for (const message of messages) visit(message);
  return names;
}

/** What a field names: by its annotation, else by the words of its own name. Ids are looked up below the resource that has them. */
function nameIn(field: DescField, names: ReadonlyMap<string, string>): string | undefined {
  const annotated = referenceOf(field);
  if (annotated) return names.get(annotated.type);
  if (/_ids?$/.test(field.name)) return undefined;
  const words = field.name.split("_").map((word) => word.replace(/s$/, ""));
  const kinds = [...names].map(([type, name]) => [type.slice(type.indexOf("/") + 1).toLowerCase(), name] as const);
  return kinds.find(([kind]) => words.some((word, at) => word === kind || `${word}${words[at + 1]}` === kind))?.[1];
}

/** Fields that are called like a resource, and why nothing of another app is reached by them. */
const FREE: Readonly<Record<string, string>> = {
  "AgentSkill.examples": "sentences",
  "AgentRegistryDeployment.agent_registry_service_name": "a service of another product, which is not called",
  "AuthenticationInfo.credentials": "what a webhook is sent",
  "ContentFilter.banned_contents_in_agent_response": "phrases",
  "ConversationReference.conversation": "belongs to who began it, which its handler asks (IAM-25)",
  "DataConnection.data_agents": "written by the server alone",
  "DataFile.data_agents": "written by the server alone",
  "EvaluationResult.app_version_display_name": "for people to read",
  "GenerateChatTokenRequest.deployment": "must be of the app of the session, which its handler asks",
  "ListEvaluationsRequest.evaluation_filter": "a filter of what is listed",
  "ListEvaluationsRequest.evaluation_run_filter": "a filter of what is listed",
  "McpToolOverride.tool": "what an MCP server calls its tool",
  "OptimizationConfig.assistant_session": "stored, and read by nothing",
  "RemoteA2aConfig.agent_registry": "a service of another product, which is not called",
  "ToolCall.agent_name": "the display name of an agent",
  "ToolResponse.agent_name": "the display name of an agent",
};

/** What a client answers to calls of a conversation that goes on is compared with these calls. */
const isAnswerToCall = (path: FieldPath) => path[0]?.name === "realtime_input";

describe("a resource that a request names anywhere in its body", () => {
  it("must be visible to the caller, who is refused for it before anything is looked up (IAM-28)", async () => {
    const wrong: string[] = [];
    const free = new Set<string>();
    const found = references();
    for (const { method, json, path, field, name } of found) {
      const { input, parent } = method.internalMethod;
      const refused = await refusedFor(method.internalMethod, fromJson(input, withText(json, path, name)));
      const id = `${field.parent.name}.${field.name}`;
      if (refused === name) continue;
      if (id in FREE) free.add(id);
      else if (!isAnswerToCall(path))
        wrong.push(
          `${parent.name}.${method.internalMethod.name} ${path.map((each) => each.name).join(".")} (${id}): ${refused}`,
        );
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual([...free].sort(), Object.keys(FREE).sort());
    assert.ok(found.length > 100, `${found.length} fields`);
  });
});
