import { create, type DescMessage } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { resourceTitle } from "../../api/resource-names.ts";
import type { Resource } from "../../api/resource-types.ts";
import { changedMembers } from "../editing/members.ts";
import { type ComparedPart, comparedParts } from "./text-parts.ts";

/** What became of one resource from one snapshot to another. */
export interface ResourceChange {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
  readonly status: "added" | "removed" | "changed";
  readonly parts: readonly ComparedPart[];
}

/** Everything that differs between two snapshots of an app, in the order people look for it. */
export function compareSnapshots(before: AppSnapshot, after: AppSnapshot): readonly ResourceChange[] {
  return [
    ...compared("App", AppSchema, before.app ? [before.app] : [], after.app ? [after.app] : []),
    ...compared("Agent", AgentSchema, before.agents, after.agents),
    ...compared("Tool", ToolSchema, before.tools, after.tools),
    ...compared("Toolset", ToolsetSchema, before.toolsets, after.toolsets),
    ...compared("Guardrail", GuardrailSchema, before.guardrails, after.guardrails),
    ...compared("Example", ExampleSchema, before.examples, after.examples),
  ];
}

function compared<Kind extends Resource>(
  kind: string,
  desc: DescMessage,
  before: readonly Kind[],
  after: readonly Kind[],
): readonly ResourceChange[] {
  const [left, right] = [byName(before), byName(after)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name): readonly ResourceChange[] => {
    const [was, is] = [left.get(name), right.get(name)];
    const one = is ?? was;
    if (!one) return [];
    const empty = create(desc);
    const [from, to] = [was ?? empty, is ?? empty];
    const parts = changedMembers(desc, from, to).flatMap((member) => comparedParts(desc, member, from, to));
    if (parts.length === 0 && was && is) return [];
    return [{ name, kind, title: resourceTitle(one), status: was ? (is ? "changed" : "removed") : "added", parts }];
  });
}

function byName<Kind extends Resource>(resources: readonly Kind[]): ReadonlyMap<string, Kind> {
  return new Map(resources.map((resource) => [resource.name, resource]));
}
