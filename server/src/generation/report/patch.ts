import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { AppTree } from "#resources";
import { leavesOf, type Named } from "./differences.ts";

/** Characters of a diff at most: more cannot be judged by a person. */
const MAX_PATCH = 200_000;

/** What a draft changes, as a unified diff: a file for each field that differs. Undefined when no person could judge it, because it is too long. */
export function patchOf(before: AppTree, after: AppTree): string | undefined {
  const patches = [
    ...patchesOf("app", AppSchema, [before.app], [after.app]),
    ...patchesOf("agents", AgentSchema, before.agents, after.agents),
    ...patchesOf("tools", ToolSchema, before.tools, after.tools),
    ...patchesOf("evaluations", EvaluationSchema, before.evaluations, after.evaluations),
  ].join("");
  return patches.length <= MAX_PATCH ? patches : undefined;
}

function patchesOf(
  folder: string,
  schema: Parameters<typeof leavesOf>[0],
  before: readonly Named[],
  after: readonly Named[],
): readonly string[] {
  const [old, next] = [byName(before), byName(after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name) => {
    const [one, other] = [old.get(name), next.get(name)];
    if (one === other) return [];
    const { displayName } = (other ?? one) as Named;
    const [left, right] = [one ? leavesOf(schema, one) : NONE, other ? leavesOf(schema, other) : NONE];
    return [...new Set([...left.keys(), ...right.keys()])]
      .filter((path) => left.get(path) !== right.get(path) && path !== "name")
      .map((path) => patch(`${folder}/${displayName}/${path}`, left.get(path) ?? "", right.get(path) ?? ""));
  });
}

const NONE: ReadonlyMap<string, string> = new Map();

function byName(resources: readonly Named[]): ReadonlyMap<string, Named> {
  return new Map(resources.map((resource) => [resource.name, resource]));
}

function patch(file: string, before: string, after: string): string {
  const line = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
  return createTwoFilesPatch(file, file, line(before), line(after), undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  });
}
