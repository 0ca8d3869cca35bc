/**
 * A conditional write found another etag than `ifEtag` said (or a row where none, or none where one was expected).
 * Nothing of the write was stored. The resource layer turns it into ABORTED, NOT_FOUND or ALREADY_EXISTS, since only it
 * knows what the caller meant.
 */
export class StaleEtagError extends Error {
  override readonly name = "StaleEtagError";
  /** Resource name of the row whose condition failed. */
  readonly resource: string;

  constructor(resource: string) {
    super(`The stored etag of '${resource}' is not the expected one.`);
    this.resource = resource;
  }
}
