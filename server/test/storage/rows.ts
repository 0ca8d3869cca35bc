import { Code, ConnectError } from "#status";
import type { ConversationHead, OperationRow, ResourceRow, TurnRow } from "#storage";

/** The location of all rows of these tests. */
export const LOCATION = "projects/p/locations/l";

export function resource(path: string, fields: Partial<ResourceRow> = {}): ResourceRow {
  const segments = path.split("/");
  const collection = segments.at(-2) ?? "";
  return {
    name: `${LOCATION}/${path}`,
    type: collection.charAt(0).toUpperCase() + collection.slice(1, -1),
    parent: [LOCATION, ...segments.slice(0, -2)].join("/"),
    displayName: path,
    createTime: 1,
    updateTime: 2,
    etag: "1",
    body: bytes(10),
    ...fields,
  };
}

export function head(app: string, id: string, turnCount: number): ConversationHead {
  return {
    name: `${LOCATION}/${app}/conversations/${id}`,
    app: `${LOCATION}/${app}`,
    startTime: 1_000.5,
    endTime: 1_001,
    turnCount,
    source: 1,
    inputTypes: [1],
    entryAgent: "agent",
    deployment: "deployment",
    appVersion: "version",
    languageCode: "en",
    state: '{"variables":{}}',
  };
}

export function turn(index: number, text = "hello"): TurnRow {
  return { index, body: bytes(1_000 + index), extra: `{"turn":${index}}`, text };
}

export function operation(id: string, fields: Partial<OperationRow> = {}): OperationRow {
  const none = new Uint8Array();
  const name = `${LOCATION}/operations/${id}`;
  return {
    name,
    parent: LOCATION,
    subject: `${LOCATION}/apps/a`,
    done: false,
    createTime: 1,
    kind: "Test",
    metadata: none,
    response: none,
    error: none,
    ...{ attempts: 0, isDead: false, lastError: none },
    ...fields,
  };
}

export function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + length) % 256);
}

export function isAborted(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Aborted;
}

/** Where a page ended. */
type Position = readonly [string | number, string];

export async function allPages<T>(
  list: (after?: Position) => Promise<{ rows: readonly T[]; last?: Position }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let after: Position | undefined;
  do {
    const page = await list(after);
    found.push(...page.rows);
    after = page.last;
  } while (after);
  return found;
}
