import { createHash } from "node:crypto";
import type { ResourceStore } from "#storage";
import type { TablePath } from "#warehouse";
import type { TableProfile } from "./profile-table.ts";

/** Where profiles are kept. */
export type ProfileRows = Pick<ResourceStore, "getMany" | "write">;

/** A profile, and the state of the table that it describes. */
export interface StoredProfile {
  readonly profile: TableProfile;
  /** `TableSchema.version`; "" where the engine has none. */
  readonly version: string;
  /** When it was read, in milliseconds since the epoch. */
  readonly at: number;
}

/** Row type of profiles. */
export const PROFILE_TYPE = "frontdesk/TableProfile";

/** Keeps profiles across restarts. Without rows it keeps none. */
export function createProfileStore(rows: ProfileRows | undefined) {
  return {
    async getMany(keys: readonly string[]): Promise<ReadonlyMap<string, StoredProfile>> {
      if (!rows || keys.length === 0) return new Map();
      const found = await rows.getMany(keys.map(profileRow));
      return new Map(
        keys.flatMap((key) => {
          const row = found.get(profileRow(key));
          const stored = row && (JSON.parse(Buffer.from(row.body).toString()) as StoredProfile);
          // A profile of a version that knew less is read again.
          return stored?.profile.flags ? [[key, stored] as const] : [];
        }),
      );
    },
    async put(key: string, profile: StoredProfile, path: TablePath): Promise<void> {
      const { at } = profile;
      const body = Buffer.from(JSON.stringify(profile));
      const parent = profileParent(path);
      const columns = { type: PROFILE_TYPE, parent, displayName: "", createTime: at, updateTime: at, etag: "" };
      await rows?.write([{ kind: "put", row: { name: profileRow(key), ...columns, body } }]);
    },
  };
}

/** What profiles of one dataset have in common. */
export function profileParent([project = "", dataset = ""]: TablePath): string {
  return `${project}/${dataset}`;
}

/** The name of a row. Keys have names of tables, which may have any character. */
export function profileRow(key: string): string {
  return `tableProfiles/${createHash("sha256").update(key).digest("hex")}`;
}
