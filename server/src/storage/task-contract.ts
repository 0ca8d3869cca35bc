/** A task of the A2A protocol: the whole message as protobuf bytes, and columns for queries. Times are those of its status. */
export interface TaskRow {
  readonly id: string;
  /** Whose it is: the principal of its caller; "" = nobody's in particular. */
  readonly owner: string;
  /** Resource name of the app, version or deployment that it was sent to. */
  readonly tenant: string;
  readonly contextId: string;
  /** Name of the conversation of its turns: the task is removed with it. */
  readonly conversation: string;
  /** Number of `TaskState`. */
  readonly state: number;
  /** Whether nothing happens to it unless somebody acts. */
  readonly finished: boolean;
  /** Index of the turn that works on it, or worked on it last. */
  readonly turn: number;
  readonly createTime: number;
  readonly updateTime: number;
  /** When it is removed unless its conversation is stored: its turn may have failed. Undefined: with its conversation only. */
  readonly expireTime: number | undefined;
  /** From 1, one more with each write. */
  readonly version: number;
  /** `lf.a2a.v1.Task`, binary. */
  readonly body: Uint8Array;
}

/** A query for one page of tasks, those that changed last first. Undefined conditions match every task. */
export interface TaskQuery {
  readonly tenant: string;
  readonly owner: string;
  readonly contextId?: string | undefined;
  readonly state?: number | undefined;
  /** Lowest time of the status, inclusive. */
  readonly updatedFrom?: number | undefined;
  /** Start strictly after this position: the `last` of the previous page. */
  readonly after?: readonly [number, string] | undefined;
  readonly limit: number;
}

/** One page of tasks. */
export interface TaskPage {
  readonly rows: readonly TaskRow[];
  /** The position after which the next page starts; absent on the last page. */
  readonly last?: readonly [string | number, string];
  /** How many tasks match, whatever the page. */
  readonly total: number;
}

/** Where changes of a task are announced. */
export interface PushConfigRow {
  readonly task: string;
  readonly id: string;
  readonly createTime: number;
  /** The stores do not read it. */
  readonly body: Uint8Array;
}

/** Where a task is. */
export type TaskHead = Pick<TaskRow, "id" | "version" | "state">;

/** An announcement that is due. */
export interface DueConfig extends PushConfigRow {
  readonly dueTime: number;
  /** Attempts since the last change that failed. */
  readonly attempts: number;
}

/** Tasks of the A2A protocol. They are removed with their conversations, and their configs with them. */
export interface TaskStore {
  get(id: string): Promise<TaskRow | undefined>;
  /** Where these tasks are, as far as there are any. */
  heads(ids: readonly string[]): Promise<readonly TaskHead[]>;
  create(row: TaskRow, config?: PushConfigRow): Promise<void>;
  /**
   * Replaces the row of the version before; false when it has another version or was removed. With `announceTime` all its configs become
   * due then.
   */
  replace(row: TaskRow, announceTime?: number): Promise<boolean>;
  /** Removes a task and its configs. Nothing when there is none. */
  remove(id: string): Promise<void>;
  list(query: TaskQuery): Promise<TaskPage>;
  /** Tasks of this server that are not finished: after a restart, those that the last one did not finish. Adopts others' as `adopt` does. */
  unfinished(): Promise<readonly TaskRow[]>;
  /** Where several servers share the table: the unfinished tasks of those that have ended, which are this one's from then on. */
  readonly adopt?: () => Promise<readonly TaskRow[]>;
  /** Removes expired tasks without a conversation. */
  removeStray(now: number): Promise<void>;
  /** The configs of a task, the oldest first. */
  configs(task: string): Promise<readonly PushConfigRow[]>;
  /** Configs of all tasks in the order of task and id, after one of them. */
  allConfigs(after: Pick<PushConfigRow, "task" | "id"> | undefined, limit: number): Promise<readonly PushConfigRow[]>;
  /** Replaces the content of a config that has still the one before; nothing otherwise. Whether it is due stays. */
  rewriteConfig(row: PushConfigRow, before: Uint8Array): Promise<void>;
  /** Adds a config, or replaces the one with its id. */
  putConfig(row: PushConfigRow): Promise<void>;
  removeConfig(task: string, id: string): Promise<void>;
  /** Announcements that are due at a time, the earliest first. */
  due(time: number, limit: number): Promise<readonly DueConfig[]>;
  /** When the next announcement is due; undefined when none is. */
  nextDue(): Promise<number | undefined>;
  /** Puts off an announcement that is due, so that nobody else makes it meanwhile; false when somebody has, or its task has changed. */
  putOff(config: DueConfig, time: number): Promise<boolean>;
  /** An announcement was attempted: undefined = done, else when to try again. Nothing when its task has changed meanwhile. */
  settle(config: DueConfig, nextTime: number | undefined): Promise<void>;
}
