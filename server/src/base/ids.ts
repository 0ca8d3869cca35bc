import { randomUUID } from "node:crypto";

/** The source of new identifiers. Tests inject a counter. */
export interface Ids {
  /** A random UUID (version 4) in lower case. */
  uuid(): string;
}

/** Identifiers from the machine's secure random source. */
export const systemIds: Ids = { uuid: () => randomUUID() };
