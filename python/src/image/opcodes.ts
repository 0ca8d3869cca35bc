/** The instructions that are read or written here by name. Numbers are unsigned where they are compared or shifted. */
export const OP = {
  ...{
    if: 0x04,
    end: 0x0b,
    return: 0x0f,
    call: 0x10,
    localGet: 0x20,
    localSet: 0x21,
    localTee: 0x22,
    load: 0x28,
    store: 0x36,
  },
  ...{ const: 0x41, equal: 0x46, atMost: 0x4d, add: 0x6a, sub: 0x6b, and: 0x71, shiftRight: 0x76 },
} as const;
