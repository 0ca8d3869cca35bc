/** A number in English words: its place in the text and its value. */
interface SpelledNumber {
  readonly at: number;
  readonly end: number;
  readonly value: number;
  /** "twenty-first" */
  readonly ordinal: boolean;
}

const UNITS = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split(" ");
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };

/** A number while its words are read: "two hundred thousand" is a total of 200,000, "and four" the current part. */
interface Partial {
  readonly total: number;
  readonly current: number;
  /** The last scale, which the next one must be below. */
  readonly scale: number;
  /** Whether "and" may follow: behind a hundred or a scale. */
  readonly mayAnd: boolean;
}

const NOTHING: Partial = { total: 0, current: 0, scale: Number.POSITIVE_INFINITY, mayAnd: false };

/** Every number in words: "three hundred and four" is one, "twenty and thirty" are two. A lone "one" is a pronoun. */
export function spelledNumbers(text: string): readonly SpelledNumber[] {
  const words = [...text.matchAll(/[a-z]+/gi)].map(({ 0: word, index }) => ({ word: word.toLowerCase(), at: index }));
  const found: SpelledNumber[] = [];
  for (let first = 0; first < words.length; ) {
    const { next, number } = readNumber(text, words, first);
    if (number) found.push(number);
    first = next;
  }
  return found;
}

interface PlacedWord {
  readonly word: string;
  readonly at: number;
}

function readNumber(text: string, words: readonly PlacedWord[], first: number) {
  const start = words[first];
  let [partial, last, at] = [undefined as Partial | undefined, first, first];
  for (;;) {
    const isAnd = partial?.mayAnd === true && words[at]?.word === "and";
    const place = isAnd ? at + 1 : at;
    if (place > first && !isJoined(text, words, at, place)) break;
    const longer = extend(partial ?? NOTHING, words[place]?.word ?? "", isAnd);
    if (!longer) break;
    [partial, last, at] = [longer, place, place + 1];
  }
  const ending = words[last];
  if (!start || !ending || !partial) return { next: first + 1, number: undefined };
  const value = partial.total + partial.current;
  const ordinal = ordinalBehind(text, words, last, partial);
  if (last === first && start.word === "one") return { next: first + 1, number: undefined };
  const end = ordinal ? ordinal.end : ending.at + ending.word.length;
  return {
    next: last + (ordinal ? 2 : 1),
    number: { at: start.at, end, value: value + (ordinal?.value ?? 0), ordinal: ordinal !== undefined },
  };
}

/** Whether only a space or a hyphen stands between the words. */
function isJoined(text: string, words: readonly PlacedWord[], from: number, to: number): boolean {
  for (let at = from; at <= to; at++) {
    const [before, word] = [words[at - 1], words[at]];
    if (!before || !word || !/^(?:\s+|-)$/.test(text.slice(before.at + before.word.length, word.at))) return false;
  }
  return true;
}

function ordinalBehind(text: string, words: readonly PlacedWord[], last: number, { current }: Partial) {
  const next = words[last + 1];
  const value = ORDINALS.indexOf(next?.word ?? "") + 1;
  const fits = value > 0 && current % 100 >= 20 && current % 10 === 0 && isJoined(text, words, last + 1, last + 1);
  return fits && next ? { value, end: next.at + next.word.length } : undefined;
}

/** The number with one more word, where the word can continue it. */
function extend(partial: Partial, word: string, behindAnd: boolean): Partial | undefined {
  const { total, current, scale } = partial;
  const isStart = total === 0 && current === 0 && scale === Number.POSITIVE_INFINITY;
  const part = partOf(word);
  if (part !== undefined) {
    if (behindAnd && current % 100 !== 0) return undefined;
    const takes = part < 10 ? current % 10 === 0 && current % 100 !== 10 && part > 0 : current % 100 === 0;
    return isStart || takes ? { total, current: current + part, scale, mayAnd: false } : undefined;
  }
  if (behindAnd) return undefined;
  const times = SCALES[word];
  if (times !== undefined) {
    if (times >= scale || (current === 0 && !isStart)) return undefined;
    return { total: total + (current || 1) * times, current: 0, scale: times, mayAnd: true };
  }
  if (word === "hundred" && current < 100) return { ...partial, current: (current || 1) * 100, mayAnd: true };
  return word === "dozen" && current < 100 ? { ...partial, current: (current || 1) * 12, mayAnd: false } : undefined;
}

function partOf(word: string): number | undefined {
  const [unit, teen, ten] = [UNITS.indexOf(word), TEENS.indexOf(word), TENS.indexOf(word)];
  if (unit >= 0) return unit;
  if (teen >= 0) return teen + 10;
  return ten >= 0 ? (ten + 2) * 10 : undefined;
}
