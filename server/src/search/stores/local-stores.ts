import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Clock, type Egress, unreachable } from "#base";
import { entryForName } from "../name-pattern.ts";
import type { SearchConfig, StoreSettings } from "../search-config.ts";
import { createFolderSource } from "./folder-source.ts";
import { createLocalStore, type LocalStore } from "./local-store.ts";
import type { PageStore } from "./shared-pages.ts";
import { createSitemapSource, type SitemapDeps } from "./sitemap-source.ts";
import type { DocumentSource } from "./source.ts";
import type { SyncDeps } from "./sync.ts";

/** The data stores and corpora on this machine, opened on first use. */
export interface LocalStores {
  /** The store of a data store; undefined when it is not on this machine. */
  ofDataStore(name: string): LocalStore | undefined;
  /** The store of a corpus; undefined when it is not on this machine. */
  ofCorpus(name: string): LocalStore | undefined;
  /** The store of a folder; errors name it `name`. */
  ofFolder(folder: string, name: string): LocalStore;
  warm(): void;
  /** Indexes what is new in a store of the configuration, by its key there. Does nothing for one that is not configured. Rejects with UNAVAILABLE when it cannot be read. */
  refresh(key: string): Promise<void>;
  close(): Promise<void>;
}

interface LocalStoresDeps extends SyncDeps {
  readonly egress: Pick<Egress, "fetch">;
  readonly clock: Clock;
  readonly pages?: PageStore | undefined;
  /** Is told after each indexing of a store of the configuration whether all of it could be read; never rejects. */
  readonly indexed: (key: string, error: Error | undefined) => Promise<void>;
}

/** The stores of the configuration, and of folders that tools name. A store is opened when it is first searched. */
export function createLocalStores(config: SearchConfig, deps: LocalStoresDeps): LocalStores {
  const stores = new Map<string, LocalStore>();

  /** `configured`: the key of the configuration, which names are matched with; none for folders that it does not list. */
  function open(settings: StoreSettings, name: string, configured?: string): LocalStore {
    // Two names for one folder share an index.
    const key = JSON.stringify(settings);
    const known = stores.get(key);
    if (known) return known;
    mkdirSync(config.indexFolder, { recursive: true });
    const path = join(config.indexFolder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.db`);
    const indexed = async (error: Error | undefined) => {
      if (configured !== undefined) await deps.indexed(configured, error);
    };
    const store = createLocalStore({ name, path, source: sourceOf(settings, deps), indexed }, deps);
    stores.set(key, store);
    return store;
  }

  const corpora = Object.entries(config.corpora).map(([key, folder]) => [key, { kind: "folder", ...folder }] as const);
  const configured: Readonly<Record<string, StoreSettings>> = { ...Object.fromEntries(corpora), ...config.dataStores };

  function opened(stores: Readonly<Record<string, unknown>>, name: string): LocalStore | undefined {
    const key = entryForName(stores, name)?.[0];
    const settings = key === undefined ? undefined : configured[key];
    return settings && open(settings, name, key);
  }

  return {
    ofDataStore: (name) => opened(config.dataStores, name),
    ofCorpus: (name) => opened(config.corpora, name),
    ofFolder: (folder, name) => open({ kind: "folder", folder }, name),
    warm: () => {
      for (const [key, settings] of Object.entries(configured)) open(settings, key, key).warm();
    },
    refresh: async (key) => {
      const settings = configured[key];
      if (settings) await open(settings, key, key).refresh();
    },
    close: async () => {
      await Promise.all([...stores.values()].map((store) => store.close()));
      stores.clear();
    },
  };
}

function sourceOf(settings: StoreSettings, deps: SitemapDeps): DocumentSource {
  switch (settings.kind) {
    case "folder":
      return createFolderSource(settings);
    case "sitemap":
      return createSitemapSource(settings, deps);
    default:
      return unreachable(settings);
  }
}
