import type { AppSnapshot, AppVersion } from "@frontdesk/protos/ces/app_version";
import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { LRUCache } from "lru-cache";
import { notFound } from "#status";
import type { ResourceStore } from "#storage";
import type { AppState } from "./app-state.ts";
import { snapshotOf } from "./app-state.ts";
import type { AppStates } from "./app-states.ts";
import type { AppSnapshots } from "./contract.ts";
import { appVersions } from "./definitions/app-version.ts";
import { fromLargeRow } from "./resource.ts";

/** Versions in the cache, decoded. */
const MAX_VERSIONS = 64;

type Snapshot = { readonly snapshot: AppSnapshot; readonly generation: string };

/** Creates the cache of snapshots. */
export function createAppSnapshots(store: ResourceStore, states: AppStates): AppSnapshots {
  const drafts = new WeakMap<AppState, Snapshot>();
  const versions = new LRUCache<string, Snapshot & { readonly readAt: number }>({ max: MAX_VERSIONS });

  async function draft(app: string): Promise<Snapshot> {
    const { state, generation } = await states.load(app);
    if (!state.app) throw notFound(app, "ces.googleapis.com/App");
    const known = drafts.get(state);
    if (known) return known;
    const made = { snapshot: snapshotOf(state), generation };
    drafts.set(state, made);
    return made;
  }

  async function version(name: string): Promise<Snapshot> {
    if (store.refresh) await store.refresh();
    const readAt = store.generation(name);
    const known = versions.get(name);
    if (known?.readAt === readAt) return known;
    const row = await store.get(name);
    const stored =
      row?.type === appVersions.type.type
        ? ((await fromLargeRow(AppVersionSchema, row)) as unknown as AppVersion)
        : undefined;
    if (!stored?.snapshot) throw notFound(name, appVersions.type.type);
    const made = { snapshot: stored.snapshot, generation: `version ${stored.etag} ${row?.createTime ?? 0}`, readAt };
    versions.set(name, made);
    return made;
  }

  return { draft, version };
}
