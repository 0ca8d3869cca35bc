import { type JsonObject, type JsonValue, nonEmptyFields, objectsIn, once } from "#base";
import { type CallContext, INTERNAL_REVISION, type Registry } from "#rpc";
import { Code, ConnectError } from "#status";
import { createMethodCalls } from "./method-calls.ts";
import type { ResourceProvider } from "./providers.ts";
import { createNameFormats } from "./resource-patterns.ts";

/** Before a resource name; `#` and a path select one of its texts. */
const SCHEME = "frontdesk://";

/** Parts of an app that are listed, by the names of their list methods. */
const PARTS = ["Agents", "Tools", "Toolsets", "Guardrails", "Examples", "Evaluations"];

/** Fields that are resources of their own, with their media types. */
const TEXTS: Readonly<Record<string, string>> = {
  instruction: "text/markdown",
  globalInstruction: "text/markdown",
  pythonCode: "text/x-python",
  openApiSchema: "application/yaml",
};

/**
 * Apps as MCP resources: an app and each of its parts is a JSON text; instructions, Python and schemas in it are texts of their own.
 * One page of the list is one app with all its parts. Reads call the List and Get methods.
 */
export function createAppResources(registry: Registry): ResourceProvider {
  const calls = createMethodCalls(registry);
  const formats = createNameFormats(registry.types);
  const find = (name: string) =>
    registry.methods.find(
      (each) => each.method.name === name && each.revision === INTERNAL_REVISION && each.implemented,
    );
  const permitted = (found: readonly Getter[], context: CallContext): readonly Getter[] =>
    found.filter(({ method }) => {
      const registered = find(method);
      return registered !== undefined && registry.permits(registered, context);
    });
  const callMethod = async (name: string, args: JsonObject, context: CallContext): Promise<JsonObject | undefined> => {
    const method = find(name);
    if (!method) return undefined;
    const request = calls.read(method, args);
    const response = await calls.call(method, request, { context, dryRun: false, progress: undefined });
    return calls.render(method, response) as JsonObject;
  };
  const partsOf = async (app: JsonObject, part: string, context: CallContext): Promise<readonly JsonObject[]> => {
    const found: JsonObject[] = [];
    let pageToken: JsonValue = "";
    do {
      const page: JsonObject =
        (await callMethod(`List${part}`, { parent: app.name ?? "", pageSize: 1_000, pageToken }, context)) ?? {};
      found.push(...itemsOf(page));
      pageToken = page.nextPageToken ?? "";
    } while (pageToken !== "");
    return found;
  };
  const getters = once(() => gettersOf(registry, formats));

  return {
    list: async (cursor, context) => {
      const apps = await orUndefined(() =>
        callMethod(
          "ListApps",
          { parent: "projects/-/locations/-", pageSize: 1, ...nonEmptyFields({ pageToken: cursor }) },
          context,
        ),
      );
      const found = itemsOf(apps ?? {});
      const parts = await Promise.all(
        found.flatMap((app) => PARTS.map(async (part) => (await orUndefined(() => partsOf(app, part, context))) ?? [])),
      );
      const resources = [...found, ...parts.flat()].flatMap(entriesOf);
      const next = apps?.nextPageToken;
      return { resources, ...(typeof next === "string" && next !== "" && { nextCursor: next }) };
    },
    templates: (context) =>
      permitted(getters(), context).map(({ pattern, noun }) => ({
        uriTemplate: `${SCHEME}${pattern}`,
        name: noun,
        description: `One ${noun} as JSON; with #instruction, #…pythonCode and the like, that text of it.`,
        mimeType: "application/json",
      })),
    read: async (uri, context) => {
      if (!uri.startsWith(SCHEME)) return undefined;
      const [name = "", path] = uri.slice(SCHEME.length).split("#");
      const getter = getters().find(({ matches }) => matches.test(name));
      const json = getter && (await orUndefined(() => callMethod(getter.method, { name }, context)));
      if (!json) return undefined;
      if (path === undefined) return [{ uri, mimeType: "application/json", text: JSON.stringify(json, null, 2) }];
      const text = valueAt(json, decodeURIComponent(path).split("."));
      const mimeType = TEXTS[path.split(".").at(-1) ?? ""] ?? "text/plain";
      return typeof text === "string" ? [{ uri, mimeType, text }] : undefined;
    },
  };
}

interface Getter {
  readonly method: string;
  readonly noun: string;
  readonly pattern: string;
  readonly matches: RegExp;
}

function gettersOf(registry: Registry, formats: ReturnType<typeof createNameFormats>): readonly Getter[] {
  return registry.methods.flatMap(({ method, revision, implemented, internalMethod }) => {
    const field = internalMethod.input.fields.find(({ name }) => name === "name");
    const format = field && formats(field);
    const isEligible =
      method.parent.typeName.startsWith(`google.cloud.ces.${INTERNAL_REVISION}.`) && revision === INTERNAL_REVISION;
    if (!isEligible || !implemented || !method.name.startsWith("Get") || !format) return [];
    const matches = new RegExp(`^${format.pattern.replace(/\{\w+\}/g, "[^/]+")}$`);
    return [{ method: method.name, noun: format.noun, pattern: format.pattern, matches }];
  });
}

/** The items of a list response: its only array. */
function itemsOf(response: JsonObject): readonly JsonObject[] {
  const items = Object.values(response).find((value) => Array.isArray(value));
  return objectsIn(items);
}

/** A resource, and each text in it. */
function entriesOf(item: JsonObject): readonly JsonObject[] {
  const uri = `${SCHEME}${String(item.name)}`;
  const title = String(item.displayName ?? item.name);
  const texts = [...textsIn(item, [])].map(({ path, mimeType }) => ({
    uri: `${uri}#${path.join(".")}`,
    name: `${title}: ${path.join(".")}`,
    mimeType,
  }));
  return [{ uri, name: title, mimeType: "application/json" }, ...texts];
}

function* textsIn(value: JsonValue, path: readonly string[]): Generator<{ path: readonly string[]; mimeType: string }> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const mimeType = TEXTS[key];
    if (mimeType && typeof item === "string" && item !== "") yield { path: [...path, key], mimeType };
    else yield* textsIn(item, [...path, key]);
  }
}

function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, first)) return undefined;
  return valueAt((value as JsonObject)[first] ?? null, rest);
}

/** Undefined instead of NOT_FOUND, and instead of PERMISSION_DENIED: what the caller may not see is not there. */
async function orUndefined<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ConnectError && (error.code === Code.NotFound || error.code === Code.PermissionDenied))
      return undefined;
    throw error;
  }
}
