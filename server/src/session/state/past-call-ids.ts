import type { Message } from "@frontdesk/protos/ces/example";

/** Ids of the calls of a session's stored turns. Each turn is read once, however many there are. */
export class PastCallIds {
  readonly #ids = new Set<string>();
  #turns = 0;

  /** The ids of the calls of all turns: those of earlier calls, and what was stored since. */
  of(turns: {
    readonly length: number;
    at(index: number): { readonly messages: readonly Message[] } | undefined;
  }): ReadonlySet<string> {
    for (; this.#turns < turns.length; this.#turns++)
      for (const id of callIdsIn(turns.at(this.#turns)?.messages ?? [])) this.#ids.add(id);
    return this.#ids;
  }
}

/** Ids of the calls among messages. */
export function callIdsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ chunks }) =>
    chunks.flatMap(({ data }) => (data.case === "toolCall" ? [data.value.id] : [])),
  );
}
