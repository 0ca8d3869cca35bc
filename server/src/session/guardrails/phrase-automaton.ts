/** Finds phrases of a list in a text, in one pass for all of them (Aho and Corasick, 1975). */
interface PhraseAutomaton {
  /** The lowest index of a phrase that occurs and that `accepts` takes; undefined when none does. */
  first(text: string, accepts?: (start: number, end: number) => boolean): number | undefined;
  /** Most phrases that can end at one place of a text. */
  readonly overlaps: number;
}

/** Builds the automaton of phrases, none of them empty; the same phrase may occur twice. Takes time and memory linear in their length. */
export function buildPhraseAutomaton(phrases: readonly string[]): PhraseAutomaton {
  const trie = buildTrie(phrases);
  const fallback = linkSuffixes(trie);
  const outputs = linkOutputs(trie, fallback);
  const { next, ending } = trie;
  return {
    overlaps: outputs.overlaps,
    first(text, accepts) {
      let best: number | undefined;
      let state = ROOT;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        let found = next.get(state, unit);
        while (found === ROOT && state !== ROOT) {
          state = fallback[state] ?? ROOT;
          found = next.get(state, unit);
        }
        state = found;
        for (let end = outputs.start[state] ?? ROOT; end !== ROOT; end = outputs.next[end] ?? ROOT) {
          const index = ending[end] ?? 0;
          if (best !== undefined && index >= best) continue;
          const length = phrases[index]?.length ?? 0;
          if (!accepts || accepts(at + 1 - length, at + 1)) best = index;
        }
      }
      return best;
    },
  };
}

/** The state before the first character. No transition leads to it, so it also stands for none. */
const ROOT = 0;
/** A state where no phrase ends. */
const NO_PHRASE = -1;

interface Trie {
  readonly next: Transitions;
  /** For each state the index of the first phrase that ends in it. */
  readonly ending: Int32Array;
  /** For each state the one before it and the character between; states are numbered so that shorter ones of a phrase come first. */
  readonly parent: Int32Array;
  readonly unit: Uint16Array;
  readonly depth: Int32Array;
  readonly size: number;
}

function buildTrie(phrases: readonly string[]): Trie {
  const most = 1 + phrases.reduce((sum, phrase) => sum + phrase.length, 0);
  const next = new Transitions(most);
  const ending = new Int32Array(most).fill(NO_PHRASE);
  const parent = new Int32Array(most);
  const depth = new Int32Array(most);
  const unit = new Uint16Array(most);
  let size = 1;
  for (const [index, phrase] of phrases.entries()) {
    let state = ROOT;
    for (let at = 0; at < phrase.length; at++) {
      const code = phrase.charCodeAt(at);
      let to = next.get(state, code);
      if (to === ROOT) {
        to = size++;
        next.set(state, code, to);
        parent[to] = state;
        unit[to] = code;
        depth[to] = at + 1;
      }
      state = to;
    }
    if (ending[state] === NO_PHRASE) ending[state] = index;
  }
  return { next, ending, parent, unit, depth, size };
}

/** For each state the state of its longest proper suffix that begins a phrase. */
function linkSuffixes({ next, parent, unit, depth, size }: Trie): Int32Array {
  const fallback = new Int32Array(size);
  for (const state of byDepth(depth, size)) {
    if ((depth[state] ?? 0) < 2) continue;
    const code = unit[state] ?? 0;
    let from = fallback[parent[state] ?? ROOT] ?? ROOT;
    while (from !== ROOT && next.get(from, code) === ROOT) from = fallback[from] ?? ROOT;
    fallback[state] = next.get(from, code);
  }
  return fallback;
}

interface Outputs {
  /** For each state the longest suffix (itself included) that is a phrase. */
  readonly start: Int32Array;
  /** For each of those the next shorter one. */
  readonly next: Int32Array;
  readonly overlaps: number;
}

function linkOutputs({ ending, depth, size }: Trie, fallback: Int32Array): Outputs {
  const start = new Int32Array(size);
  const next = new Int32Array(size);
  const counts = new Int32Array(size);
  let overlaps = 0;
  for (const state of byDepth(depth, size)) {
    const shorter = start[fallback[state] ?? ROOT] ?? ROOT;
    next[state] = shorter;
    const ends = state !== ROOT && ending[state] !== NO_PHRASE;
    start[state] = ends ? state : shorter;
    counts[state] = (counts[shorter] ?? 0) + (ends ? 1 : 0);
    overlaps = Math.max(overlaps, counts[state] ?? 0);
  }
  return { start, next, overlaps };
}

/** The states, shorter ones first. */
function byDepth(depth: Int32Array, size: number): Int32Array {
  const deepest = depth.reduce((most, one) => Math.max(most, one), 0);
  const places = new Int32Array(deepest + 2);
  for (let state = 0; state < size; state++)
    places[(depth[state] ?? 0) + 1] = (places[(depth[state] ?? 0) + 1] ?? 0) + 1;
  for (let at = 1; at < places.length; at++) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
  const sorted = new Int32Array(size);
  for (let state = 0; state < size; state++) {
    const level = depth[state] ?? 0;
    const place = places[level] ?? 0;
    sorted[place] = state;
    places[level] = place + 1;
  }
  return sorted;
}

/** Transitions by state and UTF-16 unit: a hash table with open addressing, because a `Map` would take ten times its memory. */
class Transitions {
  readonly #mask: number;
  readonly #from: Int32Array;
  readonly #unit: Uint16Array;
  readonly #to: Int32Array;

  constructor(count: number) {
    const capacity = 2 ** Math.ceil(Math.log2(count * 2 + 2));
    this.#mask = capacity - 1;
    this.#from = new Int32Array(capacity);
    this.#unit = new Uint16Array(capacity);
    this.#to = new Int32Array(capacity);
  }

  /** The state after this one and this unit; `ROOT` when there is none. */
  get(state: number, unit: number): number {
    return this.#to[this.#slot(state, unit)] ?? ROOT;
  }

  set(state: number, unit: number, to: number): void {
    const slot = this.#slot(state, unit);
    this.#from[slot] = state;
    this.#unit[slot] = unit;
    this.#to[slot] = to;
  }

  #slot(state: number, unit: number): number {
    let slot = (Math.imul(state, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & this.#mask;
    while (this.#to[slot] !== ROOT && (this.#from[slot] !== state || this.#unit[slot] !== unit))
      slot = (slot + 1) & this.#mask;
    return slot;
  }
}
