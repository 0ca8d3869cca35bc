import { type Conversation, ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { compileNode, type FilterNode, idOf, parseRequestFilter, type Restriction } from "#aip";
import { definedFields } from "#base";
import { type ConversationCondition, searchWords, type TextSearch } from "#storage";
import { narrowingOf } from "./filter-narrowing.ts";
import { isClientId, markTermOf, saidIn, searchedText, wrongFilter } from "./filter-terms.ts";

/** A conversation filter, split into what the store decides and what is tested on each conversation that the store returns. */
interface ConversationFilter {
  /** True for every conversation that passes, and for others. Absent: the store cannot narrow the list. */
  readonly where?: ConversationCondition;
  /** The searches that `passes` needs the answers of. */
  readonly searches: readonly TextSearch[];
  /** Whether a conversation (without its turns) matches; `found` has the store's answer to each of `searches`. */
  readonly passes: (conversation: Conversation, found: readonly boolean[]) => boolean;
}

/** Words that the searches of one filter may have together: each is a lookup in the index of words. */
const MAX_WORDS = 16;
/** Nothing is left to test. */
const EVERY: ConversationFilter = { searches: [], passes: () => true };
/** Fields that a list does not read. */
const UNREAD_FIELDS: ReadonlySet<string> = new Set(["turns", "messages"]);

/**
 * Reads `ListConversationsRequest.filter` (CONV-6): any combination by AND, OR, NOT and parentheses of `ces_transcript.search("words")`, bare
 * words, which search too, `customer_conversation_id`, `text` (CONV-29), what turns are marked with (CONV-28), and the fields of a conversation except its turns. INVALID_ARGUMENT names what is wrong.
 */
export function readConversationFilter(filter: string, app: string): ConversationFilter {
  const node = parseRequestFilter(filter);
  if (!node) return EVERY;
  const searches: TextSearch[] = [];
  const passes = testOf(node, searches);
  const words = searches.flatMap(({ words }) => searchWords(words)).length;
  if (words > MAX_WORDS)
    throw wrongFilter(`The filter searches for ${words} words; at most ${MAX_WORDS} are possible.`);
  const { where, exact } = narrowingOf(node, app);
  return { ...definedFields({ where }), ...(exact ? EVERY : { searches, passes }) };
}

/** The test of a node. Appends the searches that it needs to `searches`. */
function testOf(node: FilterNode, searches: TextSearch[]): ConversationFilter["passes"] {
  switch (node.kind) {
    case "and": {
      const tests = node.operands.map((each) => testOf(each, searches));
      return (conversation, found) => tests.every((test) => test(conversation, found));
    }
    case "or": {
      const tests = node.operands.map((each) => testOf(each, searches));
      return (conversation, found) => tests.some((test) => test(conversation, found));
    }
    case "not": {
      const test = testOf(node.operand, searches);
      return (conversation, found) => !test(conversation, found);
    }
    case "restriction": {
      const said = saidIn(node);
      if (said) return answerOf(said, searches);
      const mark = markTermOf(node);
      if (!mark) return testOfRestriction(node);
      const at = searches.push({ words: mark.word }) - 1;
      return (_, found) => (found[at] === true) !== mark.negated;
    }
    default:
      return answerOf({ words: searchedText(node) }, searches);
  }
}

function answerOf(search: TextSearch, searches: TextSearch[]): ConversationFilter["passes"] {
  const at = searches.push(search) - 1;
  return (_, found) => found[at] === true;
}

/** `customer_conversation_id` is the documented name of the id that a client gave: here the session's, since there is no other. */
function testOfRestriction(node: Restriction): ConversationFilter["passes"] {
  const [field = ""] = node.path;
  if (UNREAD_FIELDS.has(field))
    throw wrongFilter(
      `'${field}' cannot be tested in a list. To find words of the turns, use ces_transcript.search("words").`,
    );
  if (!isClientId(node)) return compileNode(ConversationSchema, node);
  const test = compileNode(ConversationSchema, { ...node, path: ["name"] });
  return (conversation) => test({ ...conversation, name: idOf(conversation.name) } as Conversation);
}
