import { StorageError, type StorageErrorReason } from "../errors.ts";

const REGION = ["FAILED", "is in another region: set FRONTDESK_S3_REGION, and the endpoint of that region."] as const;
const KEYS = ["FAILED", "refuses the keys: check FRONTDESK_S3_ACCESS_KEY and FRONTDESK_S3_SECRET_KEY."] as const;
const FULL = ["FULL", "has no space left: free some; a running server then continues without a restart."] as const;

/** Why a store refuses, by the code of its answer (S3 API reference, "Error responses"). */
const BY_CODE: Readonly<Record<string, readonly [StorageErrorReason, string]>> = {
  NoSuchBucket: ["FAILED", "does not exist: create it, or check FRONTDESK_S3_BUCKET."],
  InvalidBucketName: ["FAILED", "does not exist: its name cannot be one of a bucket; check FRONTDESK_S3_BUCKET."],
  InvalidAccessKeyId: KEYS,
  SignatureDoesNotMatch: KEYS,
  AccessDenied: [
    "READ_ONLY",
    "does not let these keys in: grant s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket.",
  ],
  RequestTimeTooSkewed: ["CLOCK", "has another time than this machine: set the clock (NTP)."],
  AuthorizationHeaderMalformed: REGION,
  PermanentRedirect: REGION,
  QuotaExceeded: FULL,
  XMinioStorageFull: FULL,
};

/** The error of an answer, one sentence for the operator. `code`: of the answer's document; undefined when it has none. */
export function toBucketError(status: number, code: string | undefined, place: string): StorageError {
  const known = BY_CODE[code ?? ""];
  if (known) return new StorageError(known[0], `The bucket '${place}' ${known[1]}`);
  if (status === 301 || status === 307) return new StorageError(REGION[0], `The bucket '${place}' ${REGION[1]}`);
  if (status === 507) return new StorageError(FULL[0], `The bucket '${place}' ${FULL[1]}`);
  const answer = code === undefined ? `with status ${status} and no S3 error` : `${code} (status ${status})`;
  return new StorageError("FAILED", `The bucket '${place}' answered ${answer}: check FRONTDESK_S3_ENDPOINT.`);
}
