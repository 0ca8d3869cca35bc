/** What an instruction takes from the operand stack and puts onto it. */
export type StackEffect = readonly [pops: number, pushes: number];

/**
 * The effect of each instruction that has always the same; undefined for those that depend on their operands (calls,
 * control flow), which the caller knows, and for unknown ones, after which nothing may be believed of the stack.
 */
export function stackEffectOf(opcode: number): StackEffect | undefined {
  return EFFECTS.get(opcode);
}

/** The effect of the instructions after the prefix `fc`. */
export function extendedStackEffectOf(kind: number): StackEffect | undefined {
  return EXTENDED_EFFECTS.get(kind);
}

const UNARY: StackEffect = [1, 1];
const BINARY: StackEffect = [2, 1];
const TAKES: readonly StackEffect[] = [
  [0, 0],
  [1, 0],
  [2, 0],
  [3, 0],
];
const [NOTHING, ONE, TWO, THREE] = TAKES as readonly [StackEffect, StackEffect, StackEffect, StackEffect];
const GIVES: StackEffect = [0, 1];

const EFFECTS = expand([
  [0x01, 0x01, NOTHING], // nop
  [0x1a, 0x1a, ONE], // drop
  [0x1b, 0x1c, [3, 1]], // select
  [0x20, 0x20, GIVES], // local.get
  [0x21, 0x21, ONE], // local.set
  [0x22, 0x22, UNARY], // local.tee
  [0x23, 0x23, GIVES], // global.get
  [0x24, 0x24, ONE], // global.set
  [0x25, 0x25, UNARY], // table.get
  [0x26, 0x26, TWO], // table.set
  [0x28, 0x35, UNARY], // loads
  [0x36, 0x3e, TWO], // stores
  [0x3f, 0x3f, GIVES], // memory.size
  [0x40, 0x40, UNARY], // memory.grow
  [0x41, 0x44, GIVES], // constants
  [0x45, 0x45, UNARY], // comparisons of i32
  [0x46, 0x4f, BINARY],
  [0x50, 0x50, UNARY], // of i64
  [0x51, 0x66, BINARY], // of i64, f32, f64
  [0x67, 0x69, UNARY], // arithmetic of i32
  [0x6a, 0x78, BINARY],
  [0x79, 0x7b, UNARY], // of i64
  [0x7c, 0x8a, BINARY],
  [0x8b, 0x91, UNARY], // of f32
  [0x92, 0x98, BINARY],
  [0x99, 0x9f, UNARY], // of f64
  [0xa0, 0xa6, BINARY],
  [0xa7, 0xc4, UNARY], // conversions
  [0xd0, 0xd0, GIVES], // ref.null
  [0xd1, 0xd1, UNARY], // ref.is_null
  [0xd2, 0xd2, GIVES], // ref.func
]);

const EXTENDED_EFFECTS = expand([
  [0, 7, UNARY], // saturating conversions
  [8, 8, THREE], // memory.init
  [9, 9, NOTHING], // data.drop
  [10, 12, THREE], // memory.copy, memory.fill, table.init
  [13, 13, NOTHING], // elem.drop
  [14, 14, THREE], // table.copy
  [15, 15, BINARY], // table.grow
  [16, 16, GIVES], // table.size
  [17, 17, THREE], // table.fill
]);

function expand(ranges: readonly (readonly [from: number, to: number, effect: StackEffect])[]) {
  const effects = new Map<number, StackEffect>();
  for (const [from, to, effect] of ranges) for (let opcode = from; opcode <= to; opcode++) effects.set(opcode, effect);
  return effects;
}
