import type { TurnView } from "./turn-context.ts";

/** The user's last words; not what the channel or the engine wrote in the user's place. */
export function lastUserText({ history }: Pick<TurnView, "history">): string | undefined {
  for (const { role, parts } of history.messages().toReversed()) {
    if (role !== "user") continue;
    const words = parts.flatMap((part) =>
      part.kind === "text" && !/^<(?:context|state_update|event)>/.test(part.text) ? [part.text] : [],
    );
    if (words.length > 0) return words.at(-1);
  }
  return undefined;
}
