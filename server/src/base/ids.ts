import { randomUUID } from "node:crypto";

/** Where new identifiers come from. Tests hand in a counter. */
export interface Ids {
  /** A random UUID (version 4) in lower case. */
  uuid(): string;
}

/** Identifiers from the machine's secure random source. */
export const systemIds: Ids = { uuid: () => randomUUID() };
