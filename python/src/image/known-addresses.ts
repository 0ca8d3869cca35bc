import { BLOCK_BITS } from "../sealed/linear-memory.ts";

/**
 * A number that the analysis can name: the value that came about at one place of the function (`root`), plus a constant.
 * A root stands for one number from where it came about until that place is passed again, whatever happens to the local
 * that holds it.
 */
export interface Known {
  readonly root: number;
  readonly offset: number;
  /** The local that it was read from, which may hold something else by now; undefined: none. */
  readonly local?: number;
}

/** The root of plain constants: `offset` is the number. */
const CONSTANT = 0;

export const constantOf = (value: number): Known => ({ root: CONSTANT, offset: value });

/** A mark at an address covers its block and the next: so many bytes at least, from the address on. */
export const COVERED = (1 << BLOCK_BITS) + 1;

/**
 * What is true at one place of a function: which values its locals hold, and which addresses were marked on every way that
 * leads here. Marks last as long as the run, so what was marked stays marked, whatever is called in between.
 */
export class Knowledge {
  readonly #locals: Map<number, Known>;
  readonly #marked: Map<number, readonly number[]>;

  constructor(locals = new Map<number, Known>(), marked = new Map<number, readonly number[]>()) {
    this.#locals = locals;
    this.#marked = marked;
  }

  copy(): Knowledge {
    return new Knowledge(new Map(this.#locals), new Map(this.#marked));
  }

  valueOf(local: number): Known | undefined {
    return this.#locals.get(local);
  }

  assign(local: number, value: Known): void {
    this.#locals.set(local, { root: value.root, offset: value.offset, local });
  }

  forget(locals: Iterable<number>): void {
    for (const local of locals) this.#locals.delete(local);
  }

  /** Notes that the address `root + offset` was marked. */
  mark(root: number, offset: number): void {
    const marks = this.#marked.get(root) ?? [];
    if (!marks.includes(offset)) this.#marked.set(root, [...marks, offset]);
  }

  /** Whether `bytes` bytes from `root + offset` on are known to be marked. */
  isMarked(root: number, offset: number, bytes: number): boolean {
    const marks = this.#marked.get(root);
    return marks?.some((mark) => mark <= offset && offset + bytes <= mark + COVERED) ?? false;
  }

  /** Keeps what is true here and there: two ways meet. */
  meet(other: Knowledge): void {
    for (const [local, { root, offset }] of this.#locals) {
      const there = other.#locals.get(local);
      if (there?.root !== root || there.offset !== offset) this.#locals.delete(local);
    }
    for (const [root, marks] of this.#marked) {
      const there = other.#marked.get(root);
      const both = there ? marks.filter((mark) => there.includes(mark)) : [];
      if (both.length === 0) this.#marked.delete(root);
      else if (both.length < marks.length) this.#marked.set(root, both);
    }
  }
}
