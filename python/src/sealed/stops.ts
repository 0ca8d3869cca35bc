/** The ways a run ends that Python cannot catch. The interpreter is unusable afterwards until its image is restored. */
type StopKind = "timeout" | "violation" | "crashed" | "out-of-memory";

/** Thrown through the interpreter's frames; nothing inside handles it. */
export class Stop extends Error {
  readonly kind: StopKind;

  constructor(kind: StopKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
