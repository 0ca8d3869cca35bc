import { EBADF, EINVAL } from "./errno-functions.ts";
import type { LinearMemory } from "./linear-memory.ts";
import { Stop } from "./stops.ts";

const decoder = new TextDecoder();

/**
 * Descriptor 3 carries questions to the host, 5 names of data among the resources; 1, 2 and 4 carry text: standard output,
 * standard error, log.
 */
const CHANNEL = 3;
const RESOURCES = 5;
const TEXT_STREAMS: ReadonlySet<number> = new Set([1, 2, 4]);

/** A question of more bytes than this is refused by the guest's Python; one that comes here nevertheless is forged. */
const QUESTION_LIMIT = (1 << 20) + 65_536;

/** Told instead of a length when the resource archive has nothing under a name. */
const ABSENT = 0xffff_ffff;

/** What stands behind the descriptors. `ask` blocks until the host has answered. */
export interface HostIo {
  ask(question: Uint8Array): Uint8Array;
  /** Data that lies beside the image, or undefined. */
  fetch(name: string): Uint8Array | undefined;
  print(stream: number, text: Uint8Array): void;
}

/** The guest's input and output: nothing but these two functions. */
export class Descriptors {
  readonly #memory: LinearMemory;
  readonly #host: HostIo;
  #answer: Uint8Array = new Uint8Array();

  constructor(memory: LinearMemory, host: HostIo) {
    this.#memory = memory;
    this.#host = host;
  }

  /** Forgets an answer that was not read. */
  reset(): void {
    this.#answer = new Uint8Array();
  }

  /** WASI `fd_write`. */
  write(descriptor: number, vectors: number, count: number, written: number): number {
    if (descriptor !== CHANNEL && descriptor !== RESOURCES && !TEXT_STREAMS.has(descriptor)) return EBADF;
    const data = this.#gather(vectors >>> 0, count);
    if (descriptor === CHANNEL) {
      if (data.length < 4 || new DataView(data.buffer).getUint32(0, true) !== data.length - 4) return EINVAL;
      this.#receive(this.#host.ask(data.subarray(4)));
    } else if (descriptor === RESOURCES) {
      this.#receive(this.#host.fetch(decoder.decode(data)));
    } else {
      this.#host.print(descriptor, data);
    }
    this.#memory.writeInt32(written >>> 0, data.length);
    return 0;
  }

  /** WASI `fd_read`: hands out the last answer of channel or archive, four bytes of length first. */
  read(descriptor: number, vectors: number, count: number, read: number): number {
    if (descriptor !== CHANNEL && descriptor !== RESOURCES) return EBADF;
    const memory = this.#memory;
    let total = 0;
    for (let index = 0; index < count && this.#answer.length > 0; index++) {
      const address = memory.readUint32((vectors >>> 0) + 8 * index);
      const piece = this.#answer.subarray(0, memory.readUint32((vectors >>> 0) + 8 * index + 4));
      memory.write(address, piece);
      this.#answer = this.#answer.subarray(piece.length);
      total += piece.length;
    }
    memory.writeInt32(read >>> 0, total);
    return 0;
  }

  #receive(answer: Uint8Array | undefined): void {
    const framed = new Uint8Array(4 + (answer?.length ?? 0));
    new DataView(framed.buffer).setUint32(0, answer?.length ?? ABSENT, true);
    if (answer) framed.set(answer, 4);
    this.#answer = framed;
  }

  #gather(vectors: number, count: number): Uint8Array<ArrayBuffer> {
    const memory = this.#memory;
    const { bytes } = memory;
    const pieces: Uint8Array[] = [];
    let total = 0;
    for (let index = 0; index < count; index++) {
      const address = memory.readUint32(vectors + 8 * index);
      const length = memory.readUint32(vectors + 8 * index + 4);
      total += length;
      if (total > QUESTION_LIMIT) throw new Stop("violation", "the code wrote more at once than it may");
      pieces.push(bytes.subarray(address, address + length));
    }
    const data = new Uint8Array(total);
    let offset = 0;
    for (const piece of pieces) {
      data.set(piece, offset);
      offset += piece.length;
    }
    return data;
  }
}
