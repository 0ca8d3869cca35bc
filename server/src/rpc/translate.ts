import type { DescField, DescMessage, Message, Registry as TypeRegistry } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import type { AgentTool } from "@frontdesk/protos/ces/agent_tool";
import type { Revision } from "./contract.ts";
import { INTERNAL_REVISION } from "./revision.ts";
import { compileRewrite, copy, type Rewrite, replace } from "./rewrite.ts";

/** Converts messages between the internal revision and another one. Undefined: the two are the same. */
export interface Translator {
  /** For a request that was decoded with the internal descriptors. */
  toInternal(type: DescMessage, revision: Revision): Rewrite | undefined;
  /** For a response. */
  fromInternal(type: DescMessage, revision: Revision): Rewrite | undefined;
}

/**
 * Revisions have the same names and field numbers. So only this is left to do: drop fields that the other revision lacks, fill both
 * names of an agent tool's agent, and name the revision's own types in `Any`s. The rules come from the descriptors. Only the agent
 * tool is written by hand: it is the one place where v1 is not a subset of v1beta.
 */
export function createTranslator(types: TypeRegistry): Translator {
  const memo = <K extends DescMessage>(make: (type: K, revision: Revision) => Rewrite | undefined) => {
    const made = new Map<Revision, Map<K, Rewrite | undefined>>();
    return (type: K, revision: Revision): Rewrite | undefined => {
      const ofRevision = made.get(revision) ?? new Map<K, Rewrite | undefined>();
      made.set(revision, ofRevision);
      if (!ofRevision.has(type)) ofRevision.set(type, make(type, revision));
      return ofRevision.get(type);
    };
  };
  return {
    toInternal: memo((type, revision) =>
      compileRewrite(type, (desc) => chain(dropRule(desc, revision, types), isAgentTool(desc) && rootAgentToAgent)),
    ),
    fromInternal: memo((type, revision) => {
      if (revision === INTERNAL_REVISION) return undefined;
      return compileRewrite(type, (desc) =>
        chain(
          dropRule(desc, revision, types),
          isAgentTool(desc) && agentToRootAgent,
          desc.typeName === AnySchema.typeName && retype(revision, types),
        ),
      );
    }),
  };
}

/** The same type in another revision, e.g. `google.cloud.ces.v1.App`; undefined when it has none. */
function counterpart(typeName: string, revision: Revision, types: TypeRegistry): DescMessage | undefined {
  return types.getMessage(typeName.replace(`.${INTERNAL_REVISION}.`, `.${revision}.`));
}

/** Fields of an internal message that another revision does not have. */
function fieldsWithout(desc: DescMessage, revision: Revision, types: TypeRegistry): readonly DescField[] {
  const other = counterpart(desc.typeName, revision, types);
  if (!other || other === desc) return [];
  const numbers = new Set(other.fields.map((field) => field.number));
  return desc.fields.filter((field) => !numbers.has(field.number));
}

function chain(...steps: readonly (Rewrite | undefined | false)[]): Rewrite | undefined {
  const real = steps.filter((step) => step !== undefined && step !== false);
  return real.length === 0 ? undefined : (message) => real.reduce((current, step) => step(current), message);
}

function dropRule(desc: DescMessage, revision: Revision, types: TypeRegistry): Rewrite | undefined {
  const fields = fieldsWithout(desc, revision, types);
  if (fields.length === 0) return undefined;
  return (message) => {
    const present = fields.filter((field) => reflect(desc, message).isSet(field));
    if (present.length === 0) return message;
    const kept = copy(message);
    for (const field of present) reflect(desc, kept).clear(field);
    return kept;
  };
}

function isAgentTool(desc: DescMessage): boolean {
  return desc.typeName.endsWith(".AgentTool") && desc.fields.some((field) => field.name === "root_agent");
}

/** v1's published field is `root_agent`, v1beta's is `agent`; clients of v1 send either. Handlers see `agent` only. */
function rootAgentToAgent(message: Message): Message {
  const { agent, rootAgent } = message as AgentTool;
  return rootAgent === "" ? message : replace(replace(message, "agent", agent || rootAgent), "rootAgent", "");
}

/** v1 gets both names: its published definition has one, the live discovery document the other. */
function agentToRootAgent(message: Message): Message {
  return replace(message, "rootAgent", (message as AgentTool).agent);
}

function retype(revision: Revision, types: TypeRegistry): Rewrite {
  return (message) => {
    const { typeUrl } = message as Any;
    const name = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
    if (!name.includes(`.${INTERNAL_REVISION}.`)) return message;
    const other = counterpart(name, revision, types);
    return other ? replace(message, "typeUrl", `type.googleapis.com/${other.typeName}`) : message;
  };
}
