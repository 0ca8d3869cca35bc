/** Passages with less than this share of the best similarity are irrelevant. */
const MIN_SHARE = 0.5;

/** The vectors of an index in one block of memory. Exact search by cosine similarity, fast enough for the folders of one machine. */
export class VectorTable {
  readonly #chunks: readonly number[];
  readonly #dimension: number;
  readonly #values: Float32Array;

  /** Vectors with another dimension than the first are ignored: they are of another model. */
  constructor(rows: readonly { readonly chunk: number; readonly vector: Float32Array }[]) {
    this.#dimension = rows[0]?.vector.length ?? 0;
    const fitting = rows.filter(({ vector }) => vector.length === this.#dimension);
    this.#chunks = fitting.map(({ chunk }) => chunk);
    this.#values = new Float32Array(fitting.length * this.#dimension);
    for (const [at, { vector }] of fitting.entries()) this.#values.set(normalized(vector), at * this.#dimension);
  }

  /** The passages with the most similar vectors, best first. */
  nearest(
    query: Float32Array,
    limit: number,
    accepts: (chunk: number) => boolean,
  ): readonly { readonly chunk: number; readonly relevance: number }[] {
    if (query.length !== this.#dimension) return [];
    const normalizedQuery = normalized(query);
    const nearest = this.#chunks
      .map((chunk, at) => ({ chunk, relevance: this.#product(normalizedQuery, at * this.#dimension) }))
      .sort((first, second) => second.relevance - first.relevance);
    const found: { readonly chunk: number; readonly relevance: number }[] = [];
    for (const each of nearest) {
      if (each.relevance <= Math.max(0, MIN_SHARE * (nearest[0]?.relevance ?? 0)) || found.length >= limit) break;
      if (accepts(each.chunk)) found.push(each);
    }
    return found;
  }

  #product(query: Float32Array, from: number): number {
    let sum = 0;
    for (let at = 0; at < this.#dimension; at++) sum += (query[at] ?? 0) * (this.#values[from + at] ?? 0);
    return sum;
  }
}

function normalized(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** A vector as 32-bit floats in the machine's byte order; an index is not moved between machines. */
export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector that `toBlob` wrote, in memory of its own. */
export function fromBlob(blob: Uint8Array): Float32Array {
  return new Float32Array(blob.slice().buffer);
}
