import type { DescField, DescMessage, Message, Registry as TypeRegistry } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import type { AgentTool } from "@frontdesk/protos/ces/agent_tool";
import type { Revision } from "./contract.ts";
import { INSIDE } from "./revision.ts";
import { compileRewrite, copy, type Rewrite, replace } from "./rewrite.ts";

/** Turns messages of the inside revision into what another revision shows, and the other way. */
export interface Translator {
  /** For a request that was decoded with the inside descriptors. */
  inward(type: DescMessage, revision: Revision): Rewrite | undefined;
  /** For an answer; undefined when the two revisions show the same. */
  outward(type: DescMessage, revision: Revision): Rewrite | undefined;
}

/**
 * Revisions share names and numbers, so bytes need nothing but this: fields that the other revision lacks are left out,
 * the two names of an agent tool's agent are kept in step, and `Any`s name the revision's own types. The rules come from
 * the descriptors; only the agent tool is written by hand, being the one place where v1 is not part of v1beta.
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
    inward: memo((type, revision) =>
      compileRewrite(type, (desc) => chain(dropRule(desc, revision, types), isAgentTool(desc) && rootAgentToAgent)),
    ),
    outward: memo((type, revision) => {
      if (revision === INSIDE) return undefined;
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
export function counterpart(typeName: string, revision: Revision, types: TypeRegistry): DescMessage | undefined {
  return types.getMessage(typeName.replace(`.${INSIDE}.`, `.${revision}.`));
}

/** Fields of an inside message that another revision does not have. */
export function fieldsWithout(desc: DescMessage, revision: Revision, types: TypeRegistry): readonly DescField[] {
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

/** v1's published field is `root_agent`, v1beta's is `agent`; clients of v1 send either. Inside there is only `agent`. */
function rootAgentToAgent(message: Message): Message {
  const { agent, rootAgent } = message as AgentTool;
  return rootAgent === "" ? message : replace(replace(message, "agent", agent || rootAgent), "rootAgent", "");
}

/** Both names are told to v1: the published definition reads one, the live discovery document the other. */
function agentToRootAgent(message: Message): Message {
  return replace(message, "rootAgent", (message as AgentTool).agent);
}

function retype(revision: Revision, types: TypeRegistry): Rewrite {
  return (message) => {
    const { typeUrl } = message as Any;
    const name = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
    if (!name.includes(`.${INSIDE}.`)) return message;
    const other = counterpart(name, revision, types);
    return other ? replace(message, "typeUrl", `type.googleapis.com/${other.typeName}`) : message;
  };
}
