/** Why a request failed. The message may be shown to the author of the code; it never contains a query or a header. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly kind: "refused" | "timeout" | "too-large" | "failed";

  constructor(kind: EgressError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** The reason of a failure: the error code of the system, or a sentence for TLS errors, whose codes do not say enough. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error.message;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `the certificate is for another name (${error.message})`;
  if (CERTIFICATE_CODES.has(code)) return `the certificate is not trusted (${code}: ${error.message})`;
  return code;
}

const CERTIFICATE_CODES = new Set([
  ...["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "CERT_REVOKED", "CERT_UNTRUSTED", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ...["SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
