import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { type Clock, createEgress, definedFields, type Egress, EgressError, type EgressResponse } from "#base";
import { StorageError } from "../errors.ts";
import type { BucketOptions } from "../shared-contract.ts";
import { firstText, textsOf } from "./elements.ts";
import { toBucketError } from "./to-bucket-error.ts";

/** Named objects of a bucket of an S3-compatible store. Everything rejects with a `StorageError` that names the bucket. */
export interface Bucket {
  /** For messages: host, bucket and prefix. */
  readonly place: string;
  get(name: string): Promise<Uint8Array | undefined>;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Also of an object that there is not. */
  remove(name: string): Promise<void>;
  /** Names after another, by their bytes; "" for the first ones. */
  names(after: string, limit: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Milliseconds that one attempt may take: the largest object, 64 MiB, at 4 MB a second. */
const TIMEOUT_MS = 16_000;
const MAX_BYTES = 65 * 1024 * 1024;
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 100;

/** What one request of the REST interface of S3 has. `path`: below the bucket, with a query. */
interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: Uint8Array;
}

/**
 * Opens a bucket by its address `endpoint/bucket`, which every compatible store has. The content of each request is part of its signature
 * (version 4). The endpoint may be private, since the operator configured it; nothing else is reached, and no redirect is followed.
 */
export function openBucket(options: BucketOptions, clock: Clock): Bucket {
  const { endpoint, bucket, prefix } = options;
  const { host, hostname, port } = new URL(endpoint);
  const egress = createEgress({ allowedPrivateHosts: [port === "" ? hostname : host] });
  const place = [host, bucket, prefix.replace(/\/$/, "")].filter(Boolean).join("/");
  const send = (call: Call) => attempt(call, () => signed(call, options, clock.now()), egress, place);
  const pathOf = (name: string) => `/${encodePath(prefix + name)}`;
  return {
    place,
    get: async (name) => {
      const answer = await send({ method: "GET", path: pathOf(name) });
      if (answer.status === 404 && firstText(answer.body, "Code") === "NoSuchKey") return undefined;
      const { buffer, byteOffset, byteLength } = accepted(answer, place).body;
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
    put: async (name, body) => void accepted(await send({ method: "PUT", path: pathOf(name), body }), place),
    remove: async (name) => void accepted(await send({ method: "DELETE", path: pathOf(name) }), place),
    names: async (after, limit) => {
      const start = after === "" ? "" : `&start-after=${encodeURIComponent(prefix + after)}`;
      const query = `list-type=2&max-keys=${limit}&prefix=${encodeURIComponent(prefix)}${start}`;
      const { body, status } = accepted(await send({ method: "GET", path: `?${query}` }), place);
      if (firstText(body, "Name") === undefined) throw toBucketError(status, undefined, place);
      return textsOf(body, "Key").map((key) => key.slice(prefix.length));
    },
    close: () => egress.close(),
  };
}

/** Makes a request, and again after an answer or a fault that passes. */
async function attempt(
  call: Call,
  sign: () => Promise<SignedRequest>,
  egress: Egress,
  place: string,
): Promise<EgressResponse> {
  for (let count = 1; ; count += 1) {
    const last = count === ATTEMPTS;
    try {
      const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, followRedirects: false };
      const answer = await egress.fetch({ ...(await sign()), method: call.method, ...limits });
      if (last || (answer.status < 500 && answer.status !== 429)) return answer;
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      // One that took its whole time would take it again.
      if (last || error.kind !== "failed")
        throw new StorageError(
          "FAILED",
          `The bucket '${place}' cannot be reached (${error.message}): check that the store runs, and FRONTDESK_S3_ENDPOINT.`,
          error,
        );
    }
    await delay(FIRST_RETRY_MS * 2 ** (count - 1));
  }
}

interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

async function signed({ method, path, body }: Call, options: BucketOptions, now: number): Promise<SignedRequest> {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options;
  const signer = new AwsV4Signer({
    url: `${endpoint}/${bucket}${path}`,
    ...{ method, region, accessKeyId, secretAccessKey, service: "s3" },
    headers: { "x-amz-content-sha256": hash("sha256", body ?? "") },
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  });
  const { url, headers } = await signer.sign();
  return { url: url.href, headers: Object.fromEntries(headers), ...definedFields({ body }) };
}

/** The answer, unless it is an error. */
function accepted(answer: EgressResponse, place: string): EgressResponse {
  if (answer.status < 300) return answer;
  throw toBucketError(answer.status, firstText(answer.body, "Code"), place);
}

function encodePath(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}
