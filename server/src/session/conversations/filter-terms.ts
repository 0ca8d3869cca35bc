import type { FunctionCall, Literal, Restriction } from "#aip";
import { type ConnectError, invalidArgument } from "#status";

const SEARCH = "ces_transcript.search";

/** Whether a restriction is one of the id that a client gave its conversation: here that is the session's, since there is no other (CONV-6). */
export function isClientId({ path }: Restriction): boolean {
  return path.length === 1 && (path[0] === "customer_conversation_id" || path[0] === "customerConversationId");
}

/** Whether a restriction is one of the start time. */
export function isStartTime({ path }: Restriction): boolean {
  return path.length === 1 && (path[0] === "start_time" || path[0] === "startTime");
}

/** The words that a bare text or a call of `ces_transcript.search` searches for. Throws INVALID_ARGUMENT for another call. */
export function searchedText(node: Literal | FunctionCall): string {
  if (node.kind === "literal") return node.text;
  const [words] = node.args;
  if (node.name !== SEARCH)
    throw wrongFilter(
      `The filter is wrong at character ${node.at + 1}: there is no function '${node.name}'; known: ${SEARCH}.`,
    );
  if (!words || node.args.length > 1) throw wrongFilter(`${SEARCH} takes one text, e.g. ${SEARCH}("refund").`);
  return words.text;
}

/** INVALID_ARGUMENT of the filter. */
export function wrongFilter(description: string): ConnectError {
  return invalidArgument({ field: "filter", description });
}
