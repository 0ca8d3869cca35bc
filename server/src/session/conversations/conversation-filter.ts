import { type Conversation, ConversationSchema } from "@frontdesk/protos/ces/conversation";
import {
  compileNode,
  type FilterNode,
  type FunctionCall,
  isCallOf,
  type Literal,
  parseRequestFilter,
  partitionTerms,
  type Restriction,
} from "#aip";
import { invalidArgument } from "#status";

/** A conversation filter, split into what the store answers with an index and what is tested on each conversation. */
interface ConversationFilter {
  readonly search?: string;
  readonly startAfter?: number;
  readonly startBefore?: number;
  readonly passes: (conversation: Conversation) => boolean;
}

const isSearch = isCallOf("ces_transcript.search");
const isWords = (term: FilterNode): term is Literal => term.kind === "literal";
const isWordsOrSearch = (term: FilterNode): term is Literal | FunctionCall => isWords(term) || isSearch(term);

/**
 * Reads `ListConversationsRequest.filter` (AIP-160): `ces_transcript.search("words")` and bare words search the turns, bounds on
 * `start_time` narrow the scan, every other term is tested on the conversation without its turns.
 */
export function readConversationFilter(filter: string): ConversationFilter {
  const searches = partitionTerms(parseRequestFilter(filter), isWordsOrSearch);
  const ids = partitionTerms(searches.rest, isClientId);
  const words = searches.matched.map(wordsOf).join(" ");
  const test = ids.rest ? compileNode(ConversationSchema, ids.rest) : () => true;
  const hasIds = ({ name }: Conversation) => ids.matched.every(({ value }) => name.endsWith(`/${value.text}`));
  const passes = (conversation: Conversation) => hasIds(conversation) && test(conversation);
  return { ...startBounds(ids.rest), ...(words !== "" && { search: words }), passes };
}

/** The documented name of the id that a client gave its conversation: here that is the session's, since there is no other (CONV-6). */
const isClientId = (term: FilterNode): term is Restriction =>
  term.kind === "restriction" && term.path.join(".") === "customer_conversation_id" && term.comparator === "=";

function wordsOf(term: Literal | FunctionCall): string {
  if (term.kind === "literal") return term.text;
  const [words] = term.args;
  if (words && term.args.length === 1) return words.text;
  throw invalidArgument({
    field: "filter",
    description: 'ces_transcript.search takes one text, e.g. ces_transcript.search("refund").',
  });
}

/** Inclusive bounds for the scan; the exact comparison stays in `passes`. */
function startBounds(node: FilterNode | undefined): { readonly startAfter?: number; readonly startBefore?: number } {
  const isStart = (term: FilterNode): term is Restriction =>
    term.kind === "restriction" && term.path.join(".") === "start_time";
  let bounds: { startAfter?: number; startBefore?: number } = {};
  for (const { comparator, value } of partitionTerms(node, isStart).matched) {
    const time = Date.parse(value.text);
    if (Number.isNaN(time)) continue; // compileNode has rejected what is not a time.
    if (comparator.startsWith(">")) bounds = { ...bounds, startAfter: Math.max(time, bounds.startAfter ?? time) };
    if (comparator.startsWith("<"))
      bounds = { ...bounds, startBefore: Math.min(time + 1, bounds.startBefore ?? time + 1) };
  }
  return bounds;
}
