import { clone, create, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { readEdits, storeText } from "../editing/stored-edits.ts";
import { onlyPart, PARTS, type Part } from "./agent-parts.ts";

/** A description that was not saved: as its changed parts were read, and as they are. */
interface StoredDescription {
  readonly base: DataAgent;
  readonly draft: DataAgent;
  /** When it was stored. */
  readonly at: number;
}

/** Keeps the changed parts of a data agent over reloads, with what they were read as, by which it is known what others changed since. Answers false where the browser has no room for them. */
export function storeDescription(base: DataAgent, draft: DataAgent, changed: readonly Part[]): boolean {
  const members = changed.map(({ field }) => field);
  const only = (agent: DataAgent) =>
    toJson(
      DataAgentSchema,
      changed.reduce((into, part) => onlyPart(part, agent, into), create(DataAgentSchema)),
    );
  return storeText(base.name, base.etag, members, () => JSON.stringify({ base: only(base), draft: only(draft) }));
}

/** What is stored of a data agent, on the agent as the server has it. Undefined without any that can be read. */
export function readDescription(server: DataAgent): StoredDescription | undefined {
  const stored = readEdits(server.name);
  if (!stored) return undefined;
  const parts = PARTS.filter(({ field }) => stored.members.includes(field));
  const on = (json: JsonValue) => {
    const only = fromJson(DataAgentSchema, json);
    return parts.reduce((into, part) => onlyPart(part, only, into), clone(DataAgentSchema, server));
  };
  try {
    const { base, draft }: Record<"base" | "draft", JsonValue> = JSON.parse(stored.json);
    return { base: on(base), draft: on(draft), at: stored.at };
  } catch {
    return undefined; // another version of the console
  }
}
