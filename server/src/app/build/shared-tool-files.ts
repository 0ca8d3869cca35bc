import { hash } from "node:crypto";
import type { Clock, Ids, Logger } from "#base";
import type { SharedFile, SharedFiles, ToolKey } from "#search";
import { aborted } from "#status";
import { type ResourceRow, StaleEtagError, type Storage } from "#storage";

/** Uploaded files of tools in the storage, and the removal of those that no app has any more. */
export interface SharedToolFiles extends SharedFiles {
  /** Removes the files of apps that were deleted. Returns how many. */
  removeStray(signal: AbortSignal): Promise<number>;
}

interface SharedToolFilesDeps {
  readonly storage: Pick<Storage, "resources" | "blobs">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What the row of a file says of it; its bytes are a blob. */
interface Entry extends SharedFile {
  readonly app: string;
  /** When the app was made, milliseconds: an app that is made anew under the name has no files of the one before. */
  readonly appCreated: number;
  readonly blob: string;
}

const TYPE = "frontdesk/ToolFile";
/** Rows that are read at once. */
const BATCH = 100;

/** Creates the store (TOOL-47). Rows stand beside the apps, not below them, so that the deletion of an app leaves what names its blobs. */
export function createSharedToolFiles({ storage, clock, ids, logger }: SharedToolFilesDeps): SharedToolFiles {
  const { resources, blobs } = storage;

  async function remove(row: ResourceRow): Promise<void> {
    // The content first: when its store is away the file is still there, and can be removed again.
    await blobs.remove(entryOf(row).blob);
    await write({ kind: "delete", name: row.name, ifEtag: row.etag });
  }

  const write = (change: Parameters<typeof resources.write>[0][number]) =>
    resources.write([change]).catch((error: unknown) => {
      if (error instanceof StaleEtagError) throw aborted("The file was changed meanwhile. Send it again.");
      throw error;
    });

  return {
    async list(key) {
      const [app, rows] = await Promise.all([resources.get(key.app), resources.children(parentOf(key), [TYPE])]);
      return rows.map(entryOf).filter(({ appCreated }) => appCreated === app?.createTime);
    },
    async read(key, { name, sha256 }) {
      const row = await resources.get(nameOf(key, name));
      const content = row && (await blobs.get(entryOf(row).blob));
      if (content && hash("sha256", content) === sha256) return content;
      logger.error(
        { app: key.app, tool: key.tool, file: name },
        "the content of a file is gone or damaged; upload it again",
      );
      return undefined;
    },
    async put(key, name, bytes) {
      const [app, before] = await Promise.all([resources.get(key.app), resources.get(nameOf(key, name))]);
      const now = clock.now();
      const blob = `tool-files/${ids.uuid()}`;
      const sha256 = hash("sha256", bytes);
      const entry: Entry = { name, sha256, changedAt: now, app: key.app, appCreated: app?.createTime ?? 0, blob };
      await blobs.put(blob, bytes);
      try {
        const row = {
          ...{ name: nameOf(key, name), type: TYPE, parent: parentOf(key), displayName: name },
          ...rowPartOf(entry),
        };
        await write({ kind: "put", row: { ...row, etag: ids.uuid() }, ifEtag: before?.etag ?? "" });
      } catch (error) {
        await blobs.remove(blob);
        throw error;
      }
      if (before) await blobs.remove(entryOf(before).blob);
    },
    async remove(key, name) {
      const row = await resources.get(nameOf(key, name));
      if (row) await remove(row);
      return row !== undefined;
    },
    async removeStray(signal) {
      const names = await resources.names({ type: TYPE, parent: "projects/-/locations/-/toolFiles/-" });
      let removed = 0;
      for (let from = 0; from < names.length && !signal.aborted; from += BATCH) {
        const rows = [...(await resources.getMany(names.slice(from, from + BATCH))).values()];
        const apps = await resources.getMany([...new Set(rows.map((row) => entryOf(row).app))]);
        const stray = rows.filter((row) => apps.get(entryOf(row).app)?.createTime !== entryOf(row).appCreated);
        for (const row of stray) await remove(row);
        removed += stray.length;
      }
      return removed;
    },
  };
}

function entryOf({ body }: ResourceRow): Entry {
  return JSON.parse(Buffer.from(body).toString());
}

function rowPartOf(entry: Entry): Pick<ResourceRow, "createTime" | "updateTime" | "body"> {
  return { createTime: entry.changedAt, updateTime: entry.changedAt, body: Buffer.from(JSON.stringify(entry)) };
}

/** Of all files of a tool. Tools are known by their display name, as in their folder. */
function parentOf({ app, tool }: ToolKey): string {
  const location = app.split("/").slice(0, 4).join("/");
  return `${location}/toolFiles/${hash("sha256", JSON.stringify([app, tool])).slice(0, 32)}`;
}

function nameOf(key: ToolKey, name: string): string {
  return `${parentOf(key)}/files/${hash("sha256", name).slice(0, 32)}`;
}
