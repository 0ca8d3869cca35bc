import { hash } from "node:crypto";
import type { Clock } from "#base";
import { DOCUMENT_KINDS } from "../documents/parse-document.ts";
import type { SourceItem } from "./source.ts";

/** Where servers keep the pages that one of them has fetched, until a time in milliseconds since the epoch. */
export interface PageStore {
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array, endTime: number): Promise<void>;
}

interface SharedPagesDeps {
  readonly pages: PageStore;
  readonly clock: Clock;
  /** Called when a page could not be looked for or kept: it is the reader's alone then. */
  readonly onFault: (error: unknown) => void;
  /** How long a page is kept, in milliseconds. */
  readonly keptMs: number;
}

/** The item, which is fetched by the first server that reads it as it is now: a site is asked once, and not by each server (TOOL-67). */
export function sharedPage(item: SourceItem, { pages, clock, onFault, keptMs }: SharedPagesDeps): SourceItem {
  const key = `search/pages/${hash("sha256", JSON.stringify([item.path, item.stamp]))}`;
  return {
    ...item,
    read: async () => {
      const kept = await pages.get(key).catch(onFault);
      const known = kept && unpack(kept);
      if (known) return known;
      const page = await item.read();
      await pages.put(key, pack(page), clock.now() + keptMs).catch(onFault);
      return page;
    },
  };
}

type Page = Awaited<ReturnType<SourceItem["read"]>>;

/** The kind, a line feed and the content. */
function pack({ kind, bytes }: Page): Uint8Array {
  return Buffer.concat([Buffer.from(`${kind}\n`), bytes]);
}

/** Undefined for what another release has written that knew other kinds. */
function unpack(packed: Uint8Array): Page | undefined {
  const end = packed.indexOf(10);
  const kind = DOCUMENT_KINDS.find((known) => known === Buffer.from(packed.subarray(0, end)).toString());
  return kind && { kind, bytes: packed.subarray(end + 1) };
}
