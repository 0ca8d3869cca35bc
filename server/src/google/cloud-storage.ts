import {
  cloudStorageUrl,
  definedFields,
  type Egress,
  EgressError,
  type EgressResponse,
  type ObjectStorage,
} from "#base";
import { ConnectError, failedPrecondition, invalidArgument, unavailable } from "#status";

interface CloudStorageDeps {
  readonly egress: Pick<Egress, "fetch">;
  /** Address of the service. */
  readonly url: string;
  /** Buckets that are used with this server's identity. Default none: every object is read without credentials, and nothing is written. */
  readonly access?: CloudStorageAccess | undefined;
}

/** What callers may reach with this server's identity. */
export interface CloudStorageAccess {
  readonly buckets: readonly string[];
  readonly accessToken: () => Promise<string>;
  readonly timeoutMs: number;
  /** Address in place of the usual one. */
  readonly endpoint?: string;
}

const TIMEOUT_MS = 30_000;

/**
 * Cloud Storage, through the egress gate. A caller could read and replace every object that this server's identity can reach, so only the
 * buckets that the operator names are used with it (WIRE-41).
 */
export function createCloudStorage(deps: CloudStorageDeps): ObjectStorage {
  const url = deps.access?.endpoint ?? deps.url;
  return {
    check: (uri, field) => void urlOf(uri, url, field),
    async read(uri, { field, maxBytes, signal }) {
      const answer = await send(
        "GET",
        uri,
        { url, field, maxBytes, signal, headers: await credentials(uri, deps) },
        deps,
      );
      if (answer.status === 200) return answer.body;
      throw refused(`${uri} cannot be read`, answer, uri, deps);
    },
    async write(uri, bytes, { field, contentType, signal }) {
      const headers = await credentials(uri, deps);
      if (!headers.authorization) {
        urlOf(uri, url, field);
        throw failedPrecondition(`${uri} cannot be written: ${notOpened(uri)}`, reasonOf(uri));
      }
      const request = {
        url,
        field,
        maxBytes: 65_536,
        signal,
        headers: { ...headers, "content-type": contentType },
        body: bytes,
      };
      const answer = await send("PUT", uri, request, deps);
      if (answer.status !== 200) throw refused(`${uri} cannot be written`, answer, uri, deps);
    },
  };
}

interface ObjectRequest {
  readonly url: string;
  readonly field: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

async function send(
  method: string,
  uri: string,
  { url, field, maxBytes, signal, headers, body }: ObjectRequest,
  { egress, access }: CloudStorageDeps,
): Promise<EgressResponse> {
  try {
    return await egress.fetch({
      method,
      url: urlOf(uri, url, field),
      headers,
      timeoutMs: access?.timeoutMs ?? TIMEOUT_MS,
      followRedirects: headers.authorization === undefined,
      maxBytes,
      ...definedFields({ body, signal }),
    });
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    const message = `${uri} cannot be ${method === "GET" ? "read" : "written"}: ${why}.`;
    const again = !(error instanceof EgressError) || error.kind === "failed" || error.kind === "timeout";
    throw again ? unavailable(message, reasonOf(uri)) : failedPrecondition(message, reasonOf(uri));
  }
}

/** The address of the object. Throws INVALID_ARGUMENT for what is none. */
function urlOf(uri: string, url: string, field: string): string {
  const found = cloudStorageUrl(uri, url);
  if (found) return found;
  throw invalidArgument({ field, description: `'${uri}' is not gs://<bucket>/<object>.` });
}

async function credentials(uri: string, { access }: CloudStorageDeps): Promise<Readonly<Record<string, string>>> {
  if (!access?.buckets.includes(bucketOf(uri))) return {};
  return { authorization: `Bearer ${await access.accessToken()}` };
}

function bucketOf(uri: string): string {
  return /^gs:\/\/([^/]+)\//.exec(uri)?.[1] ?? "";
}

function refused(what: string, { status }: EgressResponse, uri: string, { access }: CloudStorageDeps): ConnectError {
  const why = access?.buckets.includes(bucketOf(uri))
    ? "Check the object's name, and what this server's identity may do there."
    : `Without credentials only public objects can be read; ${notOpened(uri)}`;
  return failedPrecondition(`${what}: Cloud Storage answered ${status}. ${why}`, reasonOf(uri));
}

function notOpened(uri: string): string {
  return `to use this server's identity there, the operator adds '${bucketOf(uri)}' to cloudStorage.buckets of the configuration.`;
}

function reasonOf(uri: string) {
  return { reason: "CLOUD_STORAGE_FAILED", metadata: { uri } };
}
