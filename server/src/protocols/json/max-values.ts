/**
 * Most values of one message: fields, members of objects and items of lists, at all levels (WIRE-23). Decoding takes the event loop about a
 * millisecond per thousand of them; the length of texts hardly counts.
 */
export const MAX_VALUES = 100_000;
