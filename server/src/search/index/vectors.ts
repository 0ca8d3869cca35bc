/** A passage that points away this much further than the nearest one is about something else. */
const LEAST_SHARE = 0.5;

/** The vectors of an index in one block of memory, compared one by one: exact, and quick for what fits a machine's folders. */
export class VectorTable {
  readonly #chunks: readonly number[];
  readonly #dimension: number;
  readonly #values: Float32Array;

  /** Vectors of another length than the first one's are left out: they are of another model. */
  constructor(rows: readonly { readonly chunk: number; readonly vector: Float32Array }[]) {
    this.#dimension = rows[0]?.vector.length ?? 0;
    const fitting = rows.filter(({ vector }) => vector.length === this.#dimension);
    this.#chunks = fitting.map(({ chunk }) => chunk);
    this.#values = new Float32Array(fitting.length * this.#dimension);
    for (const [at, { vector }] of fitting.entries()) this.#values.set(normalized(vector), at * this.#dimension);
  }

  /** The passages whose vectors point the same way, nearest first. */
  nearest(
    query: Float32Array,
    limit: number,
    accepts: (chunk: number) => boolean,
  ): readonly { readonly chunk: number; readonly relevance: number }[] {
    if (query.length !== this.#dimension) return [];
    const wanted = normalized(query);
    const nearest = this.#chunks
      .map((chunk, at) => ({ chunk, relevance: this.#product(wanted, at * this.#dimension) }))
      .sort((first, second) => second.relevance - first.relevance);
    const found: { readonly chunk: number; readonly relevance: number }[] = [];
    for (const each of nearest) {
      if (each.relevance <= Math.max(0, LEAST_SHARE * (nearest[0]?.relevance ?? 0)) || found.length >= limit) break;
      if (accepts(each.chunk)) found.push(each);
    }
    return found;
  }

  #product(wanted: Float32Array, from: number): number {
    let sum = 0;
    for (let at = 0; at < this.#dimension; at++) sum += (wanted[at] ?? 0) * (this.#values[from + at] ?? 0);
    return sum;
  }
}

function normalized(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** A vector as it is stored: 32-bit floats, the machine's own byte order, since an index stays on its machine. */
export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function fromBlob(blob: Uint8Array): Float32Array {
  return new Float32Array(blob.slice().buffer);
}
