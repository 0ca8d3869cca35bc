import { type DescMessage, type Message, toJson } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { withoutOutputOnly } from "#aip";
import { isJsonObject, type JsonValue, textOrJson } from "#base";
import type { AppTree } from "#resources";

/** A resource that people know by its display name. */
export interface Named extends Message {
  readonly name: string;
  readonly displayName: string;
}

/** What a draft adds to an app, changes in it and takes from it: one phrase each. */
export function differences(before: AppTree, after: AppTree): readonly string[] {
  return [
    ...changed("app", AppSchema, [before.app], [after.app]),
    ...changed("agent", AgentSchema, before.agents, after.agents),
    ...changed("tool", ToolSchema, before.tools, after.tools),
    ...changed("evaluation", EvaluationSchema, before.evaluations, after.evaluations),
  ];
}

function changed(
  kind: string,
  schema: DescMessage,
  before: readonly Named[],
  after: readonly Named[],
): readonly string[] {
  const known = new Map(before.map((resource) => [resource.name, resource]));
  const kept = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap((resource) => {
      const old = known.get(resource.name);
      if (!old) return [`adds the ${kind} '${resource.displayName}'`];
      const fields = old === resource ? [] : changedFields(schema, old, resource);
      return fields.length === 0 ? [] : [`changes the ${kind} '${resource.displayName}': ${fields.join(", ")}`];
    }),
    ...before.filter(({ name }) => !kept.has(name)).map(({ displayName }) => `removes the ${kind} '${displayName}'`),
  ];
}

/** Paths of the fields that differ; texts with how many lines. */
function changedFields(schema: DescMessage, before: Message, after: Message): readonly string[] {
  const [old, next] = [leavesOf(schema, before), leavesOf(schema, after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((path) => {
    const [one = "", other = ""] = [old.get(path), next.get(path)];
    return one === other ? [] : [`${path}${linesText(one, other)}`];
  });
}

/** The values of a message by path, without its etag, which changes with all of them. A list is one value. */
export function leavesOf(schema: DescMessage, message: Message): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const add = (value: JsonValue, path: string): void => {
    if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) add(member, path === "" ? key : `${path}.${key}`);
    } else leaves.set(path, textOrJson(value));
  };
  add(toJson(schema, withoutOutputOnly(schema, message), { useProtoFieldName: true }) as JsonValue, "");
  leaves.delete("etag");
  return leaves;
}

function linesText(before: string, after: string): string {
  const [old, next] = [before.split("\n"), after.split("\n")];
  if (old.length === 1 && next.length === 1) return "";
  return ` (+${linesOnlyIn(next, old)} −${linesOnlyIn(old, next)} lines)`;
}

function linesOnlyIn(lines: readonly string[], others: readonly string[]): number {
  const left = Map.groupBy(others, (line) => line);
  return lines.filter((line) => left.get(line)?.pop() === undefined).length;
}
