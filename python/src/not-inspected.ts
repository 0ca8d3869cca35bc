/** A file was not looked at, which says nothing about it: no guest became free in time, or the one that had it ended. */
export class NotInspected extends Error {
  override readonly name = "NotInspected";
  /** Whether guests were busy for longer than a call may wait: the same file may be looked at a moment later. */
  readonly busy: boolean;
  /** The system's code, where a guest is not there because its image could not be written. */
  readonly code?: string;

  constructor(message: string, ending: string) {
    super(message);
    this.busy = ending === "exhausted";
    const [code] = /\b(?:ENOSPC|EDQUOT|EROFS)\b/.exec(message) ?? [];
    if (code !== undefined) this.code = code;
  }
}
