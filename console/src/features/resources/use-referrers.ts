import { evaluations } from "../../api/evaluation-resources.ts";
import { parentApp, resourceTitle } from "../../api/resource-names.ts";
import {
  agents,
  apps,
  deployments,
  examples,
  guardrails,
  type Resource,
  tools,
  toolsets,
} from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";

/** Something that names a resource. */
export interface Referrer {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
  /** Whether only a text names it: an instruction or code. */
  readonly isText: boolean;
}

/** What was found, and whether more may be: thousands of evaluations take seconds to read. */
interface Referrers {
  readonly referrers: readonly Referrer[];
  readonly isPending: boolean;
}

/** Which resources of the app name this one in fields, instructions or code; as far as they were read. */
export function useReferrers(name: string, displayName: string): Referrers {
  const app = parentApp(name);
  const found: readonly (readonly [string, Reading])[] = [
    ["App", asList(useResource(apps, app))],
    ["Agent", useResources(agents, app)],
    ["Tool", useResources(tools, app)],
    ["Toolset", useResources(toolsets, app)],
    ["Guardrail", useResources(guardrails, app)],
    ["Example", useResources(examples, app)],
    ["Deployment", useResources(deployments, app)],
    ["Evaluation", useResources(evaluations, app)],
  ];
  const inText = textsOf(name, displayName);
  const referrers = found.flatMap(([kind, { data = [] }]) =>
    data.flatMap((resource) => {
      if (resource.name === name) return [];
      const inField = mentions(resource, (text) => text === name);
      if (!inField && !(inText && mentions(resource, inText))) return [];
      return [{ name: resource.name, kind, title: resourceTitle(resource), isText: !inField }];
    }),
  );
  return { referrers, isPending: found.some(([, { isPending }]) => isPending) };
}

/** A list on its way, or arrived. */
interface Reading {
  readonly isPending: boolean;
  readonly data?: readonly Resource[] | undefined;
}

/** Whether a text, or a text anywhere in a value, is as asked. */
function mentions(value: unknown, isIt: (text: string) => boolean): boolean {
  if (typeof value === "string") return isIt(value);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some((inner) => mentions(inner, isIt));
}

/** How instructions (`{@TOOL: hours}`) and Python (`tools.hours(…)`) name a resource; undefined for those that they do not. */
function textsOf(name: string, displayName: string): ((text: string) => boolean) | undefined {
  const [, collection] = /\/(agents|tools)\/[^/]+$/.exec(name) ?? [];
  if (!collection || !displayName) return undefined;
  const escaped = displayName.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const inInstruction = `\\{@${collection === "tools" ? "TOOL" : "AGENT"}:\\s*${escaped}\\s*\\}`;
  const pattern = new RegExp(collection === "tools" ? `${inInstruction}|\\btools\\.${escaped}\\(` : inInstruction);
  return (text) => pattern.test(text);
}

function asList({ isPending, data }: { readonly isPending: boolean; readonly data?: Resource | undefined }): Reading {
  return { isPending, data: data && [data] };
}
