import { type ConnectError, toGrpcStatusName } from "#status";

/** A model call that brought no answer: what `App.error_handling_settings` is for (TURN-29). */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  /** Why, in one word: `empty_response`, or the status code of the model's error, as `resource_exhausted`. */
  readonly reason: string;

  constructor(reason: string, statusError: Error) {
    super(statusError.message, { cause: statusError });
    this.reason = reason;
  }

  /** A status error of the model, or of what answers in its place. */
  static of(error: ConnectError): ModelFailure {
    return new ModelFailure(toGrpcStatusName(error.code).toLowerCase(), error);
  }

  /** What the client gets when the app handles nothing. */
  get statusError(): unknown {
    return this.cause;
  }
}
