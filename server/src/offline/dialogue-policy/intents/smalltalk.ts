import { words } from "../text/tokenizer.ts";

/** Intents of smalltalk. */
export type Smalltalk = "goodbye" | "thanks" | "decline" | "greeting" | "affirm";

/** In order of precedence: "thanks, bye" is a goodbye. */
const PHRASES: readonly (readonly [Smalltalk, RegExp])[] = [
  [
    "goodbye",
    /\b(?:good ?bye|bye(?: bye)?|see (?:you|ya)(?: later| soon)?|farewell|cheerio|(?:no )?that(?: i|')s (?:all|it|everything)|that will be all|nothing else|have a (?:nice|good|great) (?:day|one|evening|weekend)|take care)\b/g,
  ],
  ["decline", /\b(?:never ?mind|forget it|cancel that|no thank you|no thanks|not now|no|nope)\b/g],
  [
    "thanks",
    /\b(?:thanks(?: a lot| so much)?|thank you(?: so much| very much)?|thx|cheers|much appreciated|many thanks)\b/g,
  ],
  ["greeting", /\b(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|howdy)\b/g],
  [
    "affirm",
    /\b(?:yes|yeah|yep|ok|okay|great|perfect|alright|all right|sure|fine|got it|cool|good|wonderful|awesome)\b/g,
  ],
];

/** Words that smalltalk may contain. */
const FILLER_WORDS = new Set([
  "there",
  "so",
  "very",
  "much",
  "again",
  "then",
  "for",
  "you",
  "your",
  "the",
  "and",
  "well",
  "a",
  "i",
  "am",
  "is",
  "it",
  "to",
  "everyone",
  "all",
  "me",
  "helping",
  "help",
  "that",
  "please",
]);

/** The smalltalk intent of a text, or undefined when the text contains anything else. */
export function detectSmalltalk(text: string): Smalltalk | undefined {
  let rest = words(text).join(" ");
  let kind: Smalltalk | undefined;
  for (const [candidate, pattern] of PHRASES) {
    const without = rest.replace(pattern, " ");
    if (without !== rest) kind ??= candidate;
    rest = without;
  }
  return rest.split(/\s+/).every((word) => word === "" || FILLER_WORDS.has(word)) ? kind : undefined;
}

const PERSON =
  "(?:humans?|(?:real |live |actual |human )?(?:persons?|people|agents?|humans?|being)|someone|somebody|representatives?|rep|operators?|advis[eo]rs?|supervisors?|managers?|employees?|staff|colleagues?|(?:customer )?(?:service|support|care)(?: team)?)";

/** "talk to a person", "connect me with your manager"; "I need an agent"; "operator, please". */
const REQUESTS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:talk|speak|chat|connect|transfer|put|hand|pass)(?: \\w+){0,3}? (?:to|with) (?:\\w+ ){0,2}?${PERSON}\\b`,
  ),
  new RegExp(`\\b(?:need|want|prefer|get me|give me|get) (?:an? |the |your |some )?${PERSON}\\b`),
  new RegExp(`^(?:an? |the )?${PERSON}(?: please)?$`),
  /\bescalate\b|\bhuman (?:agent|being|help|support)\b|\b(?:real|live|actual) (?:person|human|agent)\b/,
];

/** Whether the user requests a human agent. */
export function asksForPerson(text: string): boolean {
  const plain = words(text).join(" ");
  return REQUESTS.some((request) => request.test(plain));
}
