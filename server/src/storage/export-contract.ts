/** A row about a turn that another service is to get. */
export interface ExportRow {
  /** Where it goes, as the deliverer names it. The stores do not read it. */
  readonly destination: string;
  readonly createTime: number;
  /** JSON text. */
  readonly body: string;
}

/** A row that waits for its delivery. */
export interface StoredExport extends Omit<ExportRow, "destination"> {
  readonly id: number;
}

/** How much is read at once. The first row is read however long it is. */
export interface ExportLimit {
  readonly rows: number;
  /** UTF-8 bytes of the bodies. */
  readonly bytes: number;
}

/** Rows that wait for another service. `ConversationStore.appendTurn` adds them, and they go with their app. */
export interface ExportStore {
  /** Destinations with rows that wait. */
  destinations(): Promise<readonly string[]>;
  /** The oldest rows of a destination, in the order in which they were stored. */
  next(destination: string, limit: ExportLimit): Promise<readonly StoredExport[]>;
  /** Removes rows; durable when it resolves. */
  remove(ids: readonly number[]): Promise<void>;
  /** The `createTime` of the oldest row of all; undefined when none waits. */
  oldest(): Promise<number | undefined>;
}
