import { parentApp, resourceTitle } from "../../api/resource-names.ts";
import { agents, apps, deployments, examples, guardrails, type Resource, tools } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";

/** Something that names a resource. */
interface Referrer {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
}

/** Which resources of the app name this one; undefined until everything was read that could. */
export function useReferrers(name: string): readonly Referrer[] | undefined {
  const app = parentApp(name);
  const found: readonly (readonly [string, Reading])[] = [
    ["App", asList(useResource(apps, app))],
    ["Agent", useResources(agents, app)],
    ["Tool", useResources(tools, app)],
    ["Guardrail", useResources(guardrails, app)],
    ["Example", useResources(examples, app)],
    ["Deployment", useResources(deployments, app)],
  ];
  if (found.some(([, { isPending }]) => isPending)) return undefined;
  return found.flatMap(([kind, { data = [] }]) =>
    data
      .filter((resource) => resource.name !== name && mentions(resource, name))
      .map((resource) => ({ name: resource.name, kind, title: resourceTitle(resource) })),
  );
}

/** A list on its way, or arrived. */
interface Reading {
  readonly isPending: boolean;
  readonly data?: readonly Resource[] | undefined;
}

/** Whether a value or anything in it is this text. */
function mentions(value: unknown, text: string): boolean {
  if (value === text) return true;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some((inner) => mentions(inner, text));
}

function asList({ isPending, data }: { readonly isPending: boolean; readonly data?: Resource | undefined }): Reading {
  return { isPending, data: data && [data] };
}
