import { type FunctionType, localsWrittenInLoops, type ModuleTypes } from "./function-shapes.ts";
import { constantOf, Knowledge, type Known } from "./known-addresses.ts";
import { OP } from "./opcodes.ts";
import { extendedStackEffectOf, type StackEffect, stackEffectOf } from "./stack-effects.ts";
import type { WasmReader } from "./wasm-bytes.ts";

/** A block type without parameters and results. */
const EMPTY_BLOCK = 0x40;

/** A construct that is being walked through. */
interface Frame {
  readonly kind: number;
  /** The operands below the construct; undefined when it takes some of them. */
  readonly below: readonly (Known | undefined)[];
  readonly results: number;
  /** What was true where it began. */
  readonly entry: Knowledge;
  readonly wasReachable: boolean;
  /** What is true at its end on each way that was seen so far. */
  exit: Knowledge | undefined;
}

/**
 * Walks through a body instruction by instruction and knows, of some operands and locals, which value they are: enough to see
 * that two stores go to nearly the same address. Whatever it does not understand is unknown, never guessed.
 */
export class BodyAnalysis {
  readonly #module: ModuleTypes;
  readonly #loops: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #globals = new Map<number, number>();
  readonly #frames: Frame[] = [];
  #stack: (Known | undefined)[] = [];
  #knowledge = new Knowledge();
  #isReachable = true;
  #roots = 1;
  /** The most that a root can be, where that is known. */
  readonly #bounds = new Map<number, number>();

  /** `position` is where the body's code begins. */
  constructor(body: Uint8Array, position: number, module: ModuleTypes) {
    this.#module = module;
    this.#loops = localsWrittenInLoops(body, position);
    this.#open(OP.block, 0, []);
  }

  /** What is true before the next instruction. */
  get knowledge(): Knowledge {
    return this.#knowledge;
  }

  /** The operand so many places below the top, if it is known. */
  operand(depth: number): Known | undefined {
    return this.#stack[this.#stack.length - 1 - depth];
  }

  /** Whether `bytes` bytes from `offset` after a value on lie below `end`, whatever the value is. */
  isBelow(end: number, { root, offset: own }: Known, offset: number, bytes: number): boolean {
    return own >= 0 && (this.#bounds.get(root) ?? end) + own + offset + bytes <= end;
  }

  /** Passes over an instruction that begins at `start`. `operands` stands behind its opcode and is moved. */
  step(opcode: number, start: number, operands: WasmReader): void {
    switch (opcode) {
      case OP.block:
      case OP.loop:
      case OP.if:
        this.#enter(opcode, start, operands);
        break;
      case OP.else:
        this.#turn();
        break;
      case OP.end:
        this.#close();
        break;
      case OP.brIf:
        this.#pop(1);
        this.#branch(operands.unsigned());
        break;
      case OP.br:
        this.#branch(operands.unsigned());
        this.#leave();
        break;
      case OP.brTable:
        for (let labels = operands.unsigned() + 1; labels > 0; labels--) this.#branch(operands.unsigned());
        this.#leave();
        break;
      case OP.return:
      case OP.unreachable:
        this.#leave();
        break;
      default:
        this.#compute(opcode, operands);
    }
  }

  #compute(opcode: number, operands: WasmReader): void {
    if (opcode === OP.localGet) this.#stack.push(this.#read(operands.unsigned()));
    else if (opcode === OP.localSet || opcode === OP.localTee) this.#write(opcode, operands.unsigned());
    else if (opcode === OP.globalGet) this.#stack.push(this.#readGlobal(operands.unsigned()));
    else if (opcode === OP.const) this.#stack.push(constantOf(operands.signed()));
    else if (opcode === OP.add || opcode === OP.sub) this.#addUp(opcode);
    else if (opcode === OP.and) this.#mask();
    else if (opcode === OP.call) this.#apply(this.#callEffect(this.#module.functions[operands.unsigned()], 0));
    else if (opcode === OP.callIndirect) this.#apply(this.#callEffect(operands.unsigned(), 1));
    else if (opcode === OP.extended) this.#apply(extendedStackEffectOf(operands.unsigned()));
    else this.#apply(stackEffectOf(opcode));
  }

  #read(local: number): Known {
    const known = this.#knowledge.valueOf(local);
    if (known) return known;
    this.#assign(local, undefined);
    return this.#read(local);
  }

  #assign(local: number, value: Known | undefined): void {
    this.#knowledge.assign(local, value ?? { root: this.#roots++, offset: 0 });
  }

  #write(opcode: number, local: number): void {
    this.#assign(local, this.#stack.pop());
    if (opcode === OP.localTee) this.#stack.push(this.#knowledge.valueOf(local));
  }

  /** A global that no function writes is one value. */
  #readGlobal(index: number): Known | undefined {
    if (this.#module.writtenGlobals.has(index)) return undefined;
    const root = this.#globals.get(index) ?? this.#roots++;
    this.#globals.set(index, root);
    return { root, offset: 0 };
  }

  /** A sum with a constant is the same value with another offset; numbers wrap at 32 bits, as the machine's. */
  #addUp(opcode: number): void {
    const right = this.#stack.pop();
    const left = this.#stack.pop();
    const constant = constantOf(0).root;
    if (left && right?.root === constant) {
      const offset = opcode === OP.add ? left.offset + right.offset : left.offset - right.offset;
      this.#stack.push({ ...left, offset: offset | 0 });
    } else if (right && left?.root === constant && opcode === OP.add) {
      this.#stack.push({ ...right, offset: (left.offset + right.offset) | 0 });
    } else this.#stack.push(undefined);
  }

  /** Of two numbers joined bit by bit, the result is at most the one that is known. */
  #mask(): void {
    const constant = constantOf(0).root;
    const mask = [this.#stack.pop(), this.#stack.pop()].find((operand) => operand?.root === constant);
    const root = mask && mask.offset >= 0 ? this.#roots++ : undefined;
    if (mask && root !== undefined) this.#bounds.set(root, mask.offset);
    this.#stack.push(root === undefined ? undefined : { root, offset: 0 });
  }

  #callEffect(type: number | undefined, extraOperands: number): StackEffect | undefined {
    const shape: FunctionType | undefined = type === undefined ? undefined : this.#module.types[type];
    return shape && [shape.parameters + extraOperands, shape.results];
  }

  #apply(effect: StackEffect | undefined): void {
    if (!effect) {
      this.#stack = [];
      return;
    }
    this.#pop(effect[0]);
    for (let result = 0; result < effect[1]; result++) this.#stack.push(undefined);
  }

  #pop(count: number): void {
    this.#stack.length = Math.max(0, this.#stack.length - count);
  }

  #enter(opcode: number, start: number, operands: WasmReader): void {
    if (opcode === OP.if) this.#pop(1);
    const type = operands.signed();
    const shape = type >= 0 ? this.#module.types[type] : undefined;
    const isSimple = type < 0 || (shape && shape.parameters === 0);
    const results = type === EMPTY_BLOCK - 128 ? 0 : (shape?.results ?? 1);
    if (opcode === OP.loop) this.#knowledge.forget(this.#loops.get(start) ?? []);
    this.#open(opcode, results, isSimple ? this.#stack : []);
  }

  #open(kind: number, results: number, below: readonly (Known | undefined)[]): void {
    const entry = this.#knowledge.copy();
    this.#frames.push({ kind, below, results, entry, wasReachable: this.#isReachable, exit: undefined });
    this.#stack = [];
  }

  /** From the first arm of an `if` to the second. */
  #turn(): void {
    const frame = this.#frames.at(-1);
    if (!frame) throw new Error("the interpreter has an else without its if");
    if (this.#isReachable) this.#arrive(frame);
    this.#frames[this.#frames.length - 1] = { ...frame, kind: OP.else };
    this.#knowledge = frame.entry.copy();
    this.#isReachable = frame.wasReachable;
    this.#stack = [];
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (!frame) throw new Error("the interpreter has an end without a beginning");
    if (this.#isReachable) this.#arrive(frame);
    if (frame.kind === OP.if && frame.wasReachable) this.#arrive(frame, frame.entry); // the arm that is not there
    this.#isReachable = frame.exit !== undefined;
    this.#knowledge = frame.exit ?? frame.entry;
    this.#stack = [...frame.below];
    for (let result = 0; result < frame.results; result++) this.#stack.push(undefined);
  }

  /** A branch to the label so many constructs further out. One to a loop goes to its beginning, where nothing new is believed. */
  #branch(label: number): void {
    const frame = this.#frames.at(-1 - label);
    if (!frame) throw new Error("the interpreter has a branch to nowhere");
    if (this.#isReachable && frame.kind !== OP.loop) this.#arrive(frame);
  }

  #arrive(frame: Frame, knowledge: Knowledge = this.#knowledge): void {
    if (frame.exit) frame.exit.meet(knowledge);
    else frame.exit = knowledge.copy();
  }

  #leave(): void {
    this.#isReachable = false;
    this.#stack = [];
  }
}
