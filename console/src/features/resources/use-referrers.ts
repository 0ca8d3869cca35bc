import { agents } from "../../api/kinds/agents.ts";
import { apps } from "../../api/kinds/apps.ts";
import { deployments } from "../../api/kinds/deployments.ts";
import { examples } from "../../api/kinds/examples.ts";
import { guardrails } from "../../api/kinds/guardrails.ts";
import { tools } from "../../api/kinds/tools.ts";
import { appOf, titleOf } from "../../api/resource-address.ts";
import type { Resource } from "../../api/resource-kind.ts";
import { useResource, useResources } from "../../api/use-resources.ts";

/** Something that names a resource. */
export interface Referrer {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
}

/** Which resources of the app name this one. */
export function useReferrers(name: string): readonly Referrer[] {
  const app = appOf(name);
  const found: readonly (readonly [string, readonly Resource[] | undefined])[] = [
    ["App", asList(useResource(apps, app).data)],
    ["Agent", useResources(agents, app).data],
    ["Tool", useResources(tools, app).data],
    ["Guardrail", useResources(guardrails, app).data],
    ["Example", useResources(examples, app).data],
    ["Deployment", useResources(deployments, app).data],
  ];
  return found.flatMap(([kind, resources = []]) =>
    resources
      .filter((resource) => resource.name !== name && mentions(resource, name))
      .map((resource) => ({ name: resource.name, kind, title: titleOf(resource) })),
  );
}

/** Whether a value or anything in it is this text. */
export function mentions(value: unknown, text: string): boolean {
  if (value === text) return true;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some((inner) => mentions(inner, text));
}

function asList<Kind>(value: Kind | undefined): readonly Kind[] | undefined {
  return value === undefined ? undefined : [value];
}
