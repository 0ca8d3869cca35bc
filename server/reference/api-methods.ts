import type { MethodRule } from "#access";
import type { RegisteredMethod } from "#rpc";
import type { App } from "../src/app/build-app.ts";
import { ANALYTICS, CES } from "../src/protocols/mcp/surface.ts";
import { createToolCatalog } from "../src/protocols/mcp/tool-catalog.ts";
import { type RestRule, restRules } from "../src/protocols/rest/http-rules.ts";

/** A method as the reference shows it. */
export interface ApiMethod {
  /** The method of the internal revision. */
  readonly registered: RegisteredMethod;
  /** Its routes in that revision. */
  readonly routes: readonly RestRule[];
  /** All revisions that have it. */
  readonly revisions: readonly string[];
  /** Tools that call it, and the endpoints that have them. */
  readonly tools: readonly { readonly name: string; readonly endpoint: string }[];
  readonly rule: MethodRule | undefined;
  /** The page that it is on, e.g. `reference/api/agents/apps`. */
  readonly page: string;
}

/** Every method that the server has registered, in its order. */
export function apiMethods({ registry, access }: Pick<App, "registry" | "access">): readonly ApiMethod[] {
  const rules = restRules(registry);
  const tools = [CES, ANALYTICS].flatMap((surface) =>
    [...createToolCatalog(registry, surface).values()].map((tool) => ({ tool, endpoint: surface.path })),
  );
  const own = registry.methods.filter(({ method, internalMethod }) => method === internalMethod);
  const routesOf = (one: RegisteredMethod) =>
    rules.filter(({ route }) => route.method === one && route.revision === one.revision);
  const templates = new Map(
    own.flatMap((one) =>
      routesOf(one)
        .slice(0, 1)
        .map(({ template }) => [one, template]),
    ),
  );
  return own.map((registered) => ({
    registered,
    routes: routesOf(registered),
    revisions: registry.methods
      .filter(({ internalMethod }) => internalMethod === registered.method)
      .map(({ revision }) => revision),
    tools: tools
      .filter(({ tool }) => tool.methods?.includes(registered))
      .map(({ tool, endpoint }) => ({ name: tool.name, endpoint })),
    rule: access.ruleOf(registered.method),
    page: `reference/api/${productOf(registered)}/${collectionOf(registered, templates)}`,
  }));
}

/** The product whose API it is: names of collections are unique in one. */
function productOf({ method }: RegisteredMethod): string {
  if (method.parent.typeName.startsWith("google.cloud.ces.")) return "agents";
  return method.parent.typeName.startsWith("google.cloud.geminidataanalytics.") ? "data" : "server";
}

/** The collection that its path ends with; that of its service's first path where it has none. */
function collectionOf(registered: RegisteredMethod, templates: ReadonlyMap<RegisteredMethod, string>): string {
  const { parent } = registered.method;
  const sibling = [...templates].find(([{ method }]) => method.parent === parent)?.[1];
  const template = templates.get(registered) ?? sibling ?? "";
  const literals = template.replace(/:\w+$/, "").split(/[/={}]/);
  const words = literals.filter((part) => /^[a-z][A-Za-z]+$/.test(part) && !/^v1/.test(part));
  return words.at(-1) ?? parent.name.toLowerCase();
}
