import { type FunctionCall, type Literal, type Restriction, snakeCase } from "#aip";
import { type ConnectError, invalidArgument } from "#status";
import { searchWords, type TextSearch } from "#storage";
import { MARK_FIELDS, markWord, OUTCOMES } from "./turn-marks.ts";

const SEARCH = "ces_transcript.search";

/** Whether a restriction is one of the id that a client gave its conversation: here that is the session's, since there is no other (CONV-6). */
export function isClientId({ path }: Restriction): boolean {
  return path.length === 1 && (path[0] === "customer_conversation_id" || path[0] === "customerConversationId");
}

const TIMES = ["start_time", "end_time"] as const;

/** The time of a conversation that a restriction is of, by either of its names. */
export function timeOf({ path }: Restriction): (typeof TIMES)[number] | undefined {
  const [name = ""] = path;
  return path.length === 1 ? TIMES.find((time) => time === snakeCase(name)) : undefined;
}

/** The search that a restriction of `text` is: what was said as it is (CONV-29). Undefined when it is of another field. */
export function saidIn({ path, comparator, value, at }: Restriction): TextSearch | undefined {
  if (path[0] !== "text") return undefined;
  if (path.length > 1 || (comparator !== ":" && comparator !== "="))
    throw wrongFilter(`The filter is wrong at character ${at + 1}: 'text' is searched by :, e.g. text:"A-1001".`);
  if (searchWords(value.text).length === 0)
    throw wrongFilter(`The filter is wrong at character ${value.at + 1}: a text needs a letter or a digit.`);
  return { words: value.text, isExact: true };
}

/** A restriction of what turns are marked with: the word to search for. */
interface MarkTerm {
  readonly word: string;
  /** `!=`. */
  readonly negated: boolean;
}

/** The mark that a restriction asks for (CONV-28); undefined when it is of another field. */
export function markTermOf({ path, comparator, value, at }: Restriction): MarkTerm | undefined {
  const [name = ""] = path;
  const field = MARK_FIELDS.find((each) => each === name || (each === "failed_tool" && name === "failedTool"));
  if (!field) return undefined;
  if (path.length > 1 || value.text.includes("*") || !["=", "!=", ":"].includes(comparator))
    throw wrongFilter(
      `The filter is wrong at character ${at + 1}: '${field}' is compared with one whole name by = or !=.`,
    );
  return { word: markWord(field, field === "outcome" ? outcomeOf(value) : value.text), negated: comparator === "!=" };
}

function outcomeOf({ text, at }: Literal): string {
  const outcome = OUTCOMES.find((each) => each === text.toUpperCase());
  if (outcome) return outcome;
  throw wrongFilter(
    `The filter is wrong at character ${at + 1}: there is no outcome '${text}'; known: ${OUTCOMES.join(", ")}.`,
  );
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
