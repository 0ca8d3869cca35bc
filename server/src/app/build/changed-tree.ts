import { type DescMessage, equals, type Message } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import type { AppTree } from "#resources";

interface Named extends Message {
  readonly name: string;
}

/**
 * A draft with what was changed in a copy of it: in the copy, storing it set times and etags of every resource, so a resource counts as changed when
 * the copy after differs from the copy before. What was not changed is the draft's own object.
 */
export function changedTree(draft: AppTree, before: AppTree, after: AppTree): AppTree {
  return {
    ...draft,
    app: equals(AppSchema, before.app, after.app) ? draft.app : after.app,
    agents: changedList(AgentSchema, draft.agents, before.agents, after.agents),
    tools: changedList(ToolSchema, draft.tools, before.tools, after.tools),
    evaluations: changedList(EvaluationSchema, draft.evaluations, before.evaluations, after.evaluations),
  };
}

function changedList<Resource extends Named>(
  schema: DescMessage,
  draft: readonly Resource[],
  before: readonly Resource[],
  after: readonly Resource[],
): readonly Resource[] {
  const [own, old] = [byName(draft), byName(before)];
  const next = byName(after);
  const kept = draft.flatMap(({ name }) => {
    const [was, is] = [old.get(name), next.get(name)];
    if (!is) return [];
    return was && equals(schema, was, is) ? [own.get(name) as Resource] : [is];
  });
  return [...kept, ...after.filter(({ name }) => !own.has(name))];
}

function byName<Resource extends Named>(list: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(list.map((resource) => [resource.name, resource]));
}
