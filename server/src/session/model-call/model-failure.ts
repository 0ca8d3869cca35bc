import { type ConnectError, toGrpcStatusName } from "#status";

/** A model call that brought no answer: what `App.error_handling_settings` is for (TURN-29). */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  /** Why, in one word: `empty_response`, or the code of the model's refusal, as `resource_exhausted`. */
  readonly reason: string;

  constructor(reason: string, refusal: Error) {
    super(refusal.message, { cause: refusal });
    this.reason = reason;
  }

  /** A refusal of the model, or of who stands in its place. */
  static of(refusal: ConnectError): ModelFailure {
    return new ModelFailure(toGrpcStatusName(refusal.code).toLowerCase(), refusal);
  }

  /** What the client hears when the app handles nothing. */
  get refusal(): unknown {
    return this.cause;
  }
}
