import type { Chunk, Message } from "@frontdesk/protos/ces/example";

/** A line of a finished turn: something an agent said, or something it did. */
export type ChunkLine =
  | { readonly kind: "said"; readonly key: string; readonly role: string; readonly text: string }
  | {
      readonly kind: "tool" | "transfer" | "variables" | "payload";
      readonly key: string;
      readonly label: string;
      readonly detail: string;
    };

/** The lines of a turn's recorded messages, what the user said left out: the page shows that already. */
export function chunkLines(messages: readonly Message[]): readonly ChunkLine[] {
  return messages.flatMap(({ role, chunks }, at) =>
    chunks.flatMap((chunk, index) => lineOf(role, chunk, `${at}.${index}`)),
  );
}

function lineOf(role: string, { data }: Chunk, key: string): readonly ChunkLine[] {
  switch (data.case) {
    case "text":
      return role === "user" || data.value === "" ? [] : [{ kind: "said", key, role, text: data.value }];
    case "toolCall":
      return [{ kind: "tool", key, label: data.value.displayName, detail: JSON.stringify(data.value.args ?? {}) }];
    case "toolResponse":
      return [
        { kind: "tool", key, label: `↳ ${data.value.displayName}`, detail: JSON.stringify(data.value.response ?? {}) },
      ];
    case "agentTransfer":
      return [
        {
          kind: "transfer",
          key,
          label: "transfer",
          detail: `${role} → ${data.value.displayName || data.value.targetAgent}`,
        },
      ];
    case "updatedVariables":
      return [{ kind: "variables", key, label: "variables", detail: JSON.stringify(data.value) }];
    case "payload":
      return [{ kind: "payload", key, label: "payload", detail: JSON.stringify(data.value) }];
    default:
      return [];
  }
}
