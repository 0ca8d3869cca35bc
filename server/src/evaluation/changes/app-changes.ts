import { type DescMessage, equals, type Message } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { withoutOutputOnly } from "#aip";

/** What is different between two states of an app. */
interface AppChanges {
  /** Whether every case may be touched: the app itself changed, or its examples, which every agent can have. */
  readonly everything: boolean;
  /** Resource names of agents, tools, toolsets and guardrails that changed, came or went. */
  readonly resources: ReadonlySet<string>;
}

interface Named extends Message {
  readonly name: string;
}

/** Compares two states of an app. What only the store writes does not count. */
export function changesBetween(before: AppSnapshot, after: AppSnapshot): AppChanges {
  const resources = new Set([
    ...changedNames(AgentSchema, before.agents, after.agents),
    ...changedNames(ToolSchema, before.tools, after.tools),
    ...changedNames(ToolsetSchema, before.toolsets, after.toolsets),
    ...changedNames(GuardrailSchema, before.guardrails, after.guardrails),
  ]);
  const apps = (app: AppSnapshot["app"]) => (app ? [app] : []);
  const everything =
    changedNames(AppSchema, apps(before.app), apps(after.app)).length > 0 ||
    changedNames(ExampleSchema, before.examples, after.examples).length > 0;
  return { everything, resources };
}

/** Names of those that are different, new or gone. What only the store writes does not count. */
export function changedNames(desc: DescMessage, before: readonly Named[], after: readonly Named[]): readonly string[] {
  const old = new Map(before.map((resource) => [resource.name, resource]));
  const changed = after.flatMap((resource) => {
    const known = old.get(resource.name);
    old.delete(resource.name);
    return known && equals(desc, unstamped(desc, known), unstamped(desc, resource)) ? [] : [resource.name];
  });
  return [...changed, ...old.keys()];
}

/** Without what only the server writes. */
function unstamped(desc: DescMessage, resource: Named): Named {
  const content = withoutOutputOnly(desc, resource) as Named & { etag?: string };
  return { ...content, ...("etag" in content && { etag: "" }) } as Named;
}

/** Whether a case that used these resources may behave differently after the changes. */
export function isTouched(used: ReadonlySet<string>, { everything, resources }: AppChanges): boolean {
  return everything || resources.values().some((name) => used.has(name));
}
