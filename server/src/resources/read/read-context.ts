import type { ResourceStore } from "#storage";

/** What filling in an answer may read. */
export interface ReadContext {
  readonly store: ResourceStore;
}
