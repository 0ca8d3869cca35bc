import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Clock, type Egress, unreachable } from "#base";
import { entryForName } from "../name-pattern.ts";
import type { SearchConfig, StoreSettings } from "../search-config.ts";
import { createFolderSource } from "./folder-source.ts";
import { createLocalStore, type LocalStore } from "./local-store.ts";
import { createSitemapSource } from "./sitemap-source.ts";
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
  close(): Promise<void>;
}

interface LocalStoresDeps extends SyncDeps {
  readonly egress: Pick<Egress, "fetch">;
  readonly clock: Clock;
}

export function createLocalStores(config: SearchConfig, deps: LocalStoresDeps): LocalStores {
  const stores = new Map<string, LocalStore>();

  function open(settings: StoreSettings, name: string): LocalStore {
    // Two names for one folder share an index.
    const key = JSON.stringify(settings);
    const known = stores.get(key);
    if (known) return known;
    mkdirSync(config.indexFolder, { recursive: true });
    const path = join(config.indexFolder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.db`);
    const store = createLocalStore({ name, path, source: sourceOf(settings, deps) }, deps);
    stores.set(key, store);
    return store;
  }

  return {
    ofDataStore: (name) => {
      const settings = entryForName(config.dataStores, name)?.[1];
      return settings && open(settings, name);
    },
    ofCorpus: (name) => {
      const settings = entryForName(config.corpora, name)?.[1];
      return settings && open({ kind: "folder", ...settings }, name);
    },
    ofFolder: (folder, name) => open({ kind: "folder", folder }, name),
    warm: () => {
      for (const [name, settings] of Object.entries(config.dataStores)) open(settings, name).warm();
      for (const [name, settings] of Object.entries(config.corpora)) open({ kind: "folder", ...settings }, name).warm();
    },
    close: async () => {
      await Promise.all([...stores.values()].map((store) => store.close()));
      stores.clear();
    },
  };
}

function sourceOf(settings: StoreSettings, deps: LocalStoresDeps): DocumentSource {
  switch (settings.kind) {
    case "folder":
      return createFolderSource(settings);
    case "sitemap":
      return createSitemapSource(settings, deps);
    default:
      return unreachable(settings);
  }
}
