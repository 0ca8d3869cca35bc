import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type TaskPushNotificationConfig, TaskPushNotificationConfigSchema } from "@frontdesk/protos/a2a/a2a";
import { resealed, SealError } from "#base";
import type { PushConfigRow } from "#storage";
import type { A2aCall, A2aDeps } from "../contract.ts";

/** A config as it is stored: sealed as a whole, because its token and credentials are its client's secrets. */
export interface StoredConfig {
  readonly config: TaskPushNotificationConfig;
  /** The version of the protocol in which the client set it. */
  readonly version: A2aCall["version"];
}

/** What the sealed bytes are for. */
const PURPOSE = "a2a-push";

/** One byte for the version, then the message. */
export function toRow(
  { config, version }: StoredConfig,
  place: Pick<PushConfigRow, "task" | "id" | "createTime">,
  sealer: Pick<A2aDeps["sealer"], "seal">,
): PushConfigRow {
  const message = toBinary(TaskPushNotificationConfigSchema, config);
  return { ...place, body: sealer.seal(Buffer.concat([Buffer.from([version === "0.3" ? 0 : 1]), message]), PURPOSE) };
}

/** Throws when the row was sealed with another key. */
export function fromRow({ task, id, body }: PushConfigRow, sealer: Pick<A2aDeps["sealer"], "open">): StoredConfig {
  const opened = sealer.open(body, PURPOSE);
  const config = fromBinary(TaskPushNotificationConfigSchema, opened.subarray(1));
  return {
    config: create(TaskPushNotificationConfigSchema, { ...config, id, taskId: task }),
    version: opened[0] === 0 ? "0.3" : "1.0",
  };
}

const ROWS_AT_A_TIME = 100;

/** Seals the configs of all tasks with the newest key. Answers how many, and the tasks of those whose key is not here. */
export async function resealConfigs({ store, sealer }: Pick<A2aDeps, "store" | "sealer">) {
  const unreadable: string[] = [];
  let count = 0;
  for (let rows = await store.allConfigs(undefined, ROWS_AT_A_TIME); rows.length > 0; ) {
    for (const row of rows) {
      try {
        const body = resealed(row.body, PURPOSE, sealer);
        if (!body) continue;
        await store.rewriteConfig({ ...row, body }, row.body);
        count += 1;
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        unreadable.push(row.task);
      }
    }
    rows = await store.allConfigs(rows.at(-1), ROWS_AT_A_TIME);
  }
  return { resealed: count, unreadable };
}
