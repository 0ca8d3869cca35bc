import { clone, create } from "@bufbuild/protobuf";
import {
  ListTaskPushNotificationConfigsResponseSchema,
  type TaskPushNotificationConfig,
  TaskPushNotificationConfigSchema,
} from "@frontdesk/protos/a2a/a2a";
import { a2aError, type FieldViolation, invalidArgument, resourceExhausted } from "#status";
import type { PushConfigRow, TaskRow } from "#storage";
import type { A2aCall, A2aDeps, PushConfigs } from "../contract.ts";
import { fromRow, toRow } from "./push-row.ts";

/** Most configs of a task (A2A-15). */
const MAX_CONFIGS = 20;
/** Longest URL, token or credential, characters. */
const MAX_TEXT = 4_096;

interface PushConfigsDeps extends Pick<A2aDeps, "store" | "sealer" | "ids" | "clock" | "egress"> {
  /** A task of the caller; rejects with TASK_NOT_FOUND. */
  readonly ownRow: (task: string, call: A2aCall) => Promise<TaskRow>;
}

interface PushConfigsWithRows extends PushConfigs {
  /** The row of a config for a task that is about to be created. INVALID_ARGUMENT for a config that is not valid. */
  rowFor(config: TaskPushNotificationConfig, call: A2aCall): (task: string) => PushConfigRow;
}

/** Creates the configs: where clients want to be told of changes of their tasks (A2A-17). */
export function createPushConfigs({ store, sealer, ids, clock, egress, ownRow }: PushConfigsDeps): PushConfigsWithRows {
  const rowFor = (config: TaskPushNotificationConfig, { version }: A2aCall, prefix = "") => {
    const violations = configViolations(config, prefix, egress);
    if (violations.length > 0) throw invalidArgument(violations);
    const id = config.id || ids.uuid();
    return (task: string) => toRow({ config, version }, { task, id, createTime: clock.now() }, sealer);
  };

  async function create_(config: TaskPushNotificationConfig, call: A2aCall): Promise<TaskPushNotificationConfig> {
    const row = rowFor(config, call)(config.taskId);
    await ownRow(config.taskId, call);
    const known = await store.configs(config.taskId);
    if (known.length >= MAX_CONFIGS && !known.some(({ id }) => id === row.id)) {
      throw resourceExhausted(
        `Task '${config.taskId}' has ${known.length} push configs, which is the limit. Delete one.`,
        {
          reason: "TOO_MANY_PUSH_CONFIGS",
        },
      );
    }
    await store.putConfig(row);
    return shown(fromRow(row, sealer).config);
  }

  return {
    rowFor: (config, call) => rowFor(config, call, "configuration.task_push_notification_config."),
    create: create_,
    get: async ({ taskId, id }, call) => {
      await ownRow(taskId, call);
      const row = (await store.configs(taskId)).find((each) => each.id === id);
      if (!row) throw unknownConfig(taskId, id);
      return shown(fromRow(row, sealer).config);
    },
    list: async ({ taskId }, call) => {
      await ownRow(taskId, call);
      const rows = await store.configs(taskId);
      // A task has so few that one page has all.
      return create(ListTaskPushNotificationConfigsResponseSchema, {
        configs: rows.map((row) => shown(fromRow(row, sealer).config)),
      });
    },
    remove: async ({ taskId, id }, call) => {
      await ownRow(taskId, call);
      await store.removeConfig(taskId, id);
    },
  };
}

/** A config without its credentials: they go in and never come out. Its agent is the one that was asked. */
function shown(config: TaskPushNotificationConfig): TaskPushNotificationConfig {
  const copy = clone(TaskPushNotificationConfigSchema, config);
  copy.tenant = "";
  if (copy.authentication) copy.authentication.credentials = "";
  return copy;
}

/** HTTP allows no other characters in a header that arrives as it was sent. */
const HEADER_TEXT = /^[\x20-\x7e]*$/;
const SCHEME = /^[!#$%&'*+.^_`|~\w-]*$/;

function configViolations(
  { id, url, token, authentication }: TaskPushNotificationConfig,
  prefix: string,
  egress: PushConfigsDeps["egress"],
): readonly FieldViolation[] {
  const { scheme = "", credentials = "" } = authentication ?? {};
  const texts = { id, url, token, "authentication.credentials": credentials };
  return [
    ...urlViolations(url, `${prefix}url`, egress),
    ...Object.entries(texts).flatMap(([name, text]) => {
      if (text.length > MAX_TEXT)
        return [{ field: prefix + name, description: `has ${text.length} characters; the limit is ${MAX_TEXT}` }];
      return HEADER_TEXT.test(text)
        ? []
        : [{ field: prefix + name, description: "must be printable ASCII characters" }];
    }),
    ...(SCHEME.test(scheme)
      ? []
      : [
          { field: `${prefix}authentication.scheme`, description: "must be the name of an HTTP authentication scheme" },
        ]),
    ...(credentials !== "" && scheme === ""
      ? [{ field: `${prefix}authentication.scheme`, description: "is required with credentials, e.g. Bearer" }]
      : []),
  ];
}

/** An address that the gate will refuse would never be told anything, and the client would wait (A2A-24). */
function urlViolations(url: string, field: string, egress: PushConfigsDeps["egress"]): readonly FieldViolation[] {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:")
    return [{ field, description: "must be an absolute http or https URL" }];
  if (parsed.username || parsed.password)
    return [{ field, description: "must not have a user name or a password; use authentication" }];
  const refusal = egress.refusal(url);
  return refusal === undefined ? [] : [{ field, description: refusal }];
}

function unknownConfig(taskId: string, id: string) {
  return a2aError("TASK_NOT_FOUND", `Task '${taskId}' has no push notification config '${id}'.`, {
    taskId,
    configId: id,
  });
}
