import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type TaskPushNotificationConfig, TaskPushNotificationConfigSchema } from "@frontdesk/protos/a2a/a2a";
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
  sealer: A2aDeps["sealer"],
): PushConfigRow {
  const message = toBinary(TaskPushNotificationConfigSchema, config);
  return { ...place, body: sealer.seal(Buffer.concat([Buffer.from([version === "0.3" ? 0 : 1]), message]), PURPOSE) };
}

/** Throws when the row was sealed with another key. */
export function fromRow({ task, id, body }: PushConfigRow, sealer: A2aDeps["sealer"]): StoredConfig {
  const opened = sealer.open(body, PURPOSE);
  const config = fromBinary(TaskPushNotificationConfigSchema, opened.subarray(1));
  return {
    config: create(TaskPushNotificationConfigSchema, { ...config, id, taskId: task }),
    version: opened[0] === 0 ? "0.3" : "1.0",
  };
}
