import {
  cloudStorageUrl,
  definedFields,
  type Egress,
  EgressError,
  type EgressResponse,
  hasDotSegment,
  isAmongApps,
  type ObjectStorage,
  thrownMessage,
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
  readonly buckets: readonly OpenedBucket[];
  readonly accessToken: () => Promise<string>;
  readonly timeoutMs: number;
  /** Address in place of the usual one. */
  readonly endpoint?: string;
}

/** A bucket that is used with this server's identity. */
interface OpenedBucket {
  readonly name: string;
  /** For which apps: resource names, `*` at the end for all that begin so. Default all. */
  readonly apps?: readonly string[] | undefined;
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
    async read(uri, { app, field, maxBytes, signal }) {
      const answer = await send(
        "GET",
        uri,
        { url, field, maxBytes, signal, headers: await credentials(uri, app, deps) },
        deps,
      );
      if (answer.status === 200) return answer.body;
      throw refused(`${uri} cannot be read`, answer, { uri, app }, deps);
    },
    async write(uri, bytes, { app, field, contentType, signal }) {
      const headers = await credentials(uri, app, deps);
      if (!headers.authorization) {
        urlOf(uri, url, field);
        throw failedPrecondition(`${uri} cannot be written: ${notOpened(uri, app, deps)}`, reasonOf(uri));
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
      if (answer.status !== 200) throw refused(`${uri} cannot be written`, answer, { uri, app }, deps);
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
      secrets: [(headers.authorization ?? "").replace(/^Bearer /, "")],
      timeoutMs: access?.timeoutMs ?? TIMEOUT_MS,
      followRedirects: headers.authorization === undefined,
      maxBytes,
      ...definedFields({ body, signal }),
    });
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    signal?.throwIfAborted();
    const why = thrownMessage(error);
    const message = `${uri} cannot be ${method === "GET" ? "read" : "written"}: ${why}.`;
    const again = !(error instanceof EgressError) || error.kind === "failed" || error.kind === "timeout";
    throw again ? unavailable(message, reasonOf(uri)) : failedPrecondition(message, reasonOf(uri));
  }
}

/** The address of the object. Throws INVALID_ARGUMENT for what is none. */
function urlOf(uri: string, url: string, field: string): string {
  const found = cloudStorageUrl(uri, url);
  if (found && hasDotSegment(found))
    throw invalidArgument({ field, description: `'.' or '..' is no part of the name of an object in '${uri}'.` });
  if (found) return found;
  throw invalidArgument({ field, description: `'${uri}' is not gs://<bucket>/<object>.` });
}

async function credentials(
  uri: string,
  app: string,
  { access }: CloudStorageDeps,
): Promise<Readonly<Record<string, string>>> {
  if (!access || !isOpened(uri, app, access)) return {};
  return { authorization: `Bearer ${await access.accessToken()}` };
}

function isOpened(uri: string, app: string, { buckets }: CloudStorageAccess): boolean {
  const bucket = bucketOf(uri);
  return buckets.some(({ name, apps }) => name === bucket && isAmongApps(app, apps));
}

function bucketOf(uri: string): string {
  return /^gs:\/\/([^/]+)\//.exec(uri)?.[1] ?? "";
}

function refused(
  what: string,
  { status }: EgressResponse,
  { uri, app }: { readonly uri: string; readonly app: string },
  deps: CloudStorageDeps,
): ConnectError {
  const why =
    deps.access && isOpened(uri, app, deps.access)
      ? "Check the object's name, and what this server's identity may do there."
      : `Without credentials only public objects can be read; ${notOpened(uri, app, deps)}`;
  return failedPrecondition(`${what}: Cloud Storage answered ${status}. ${why}`, reasonOf(uri));
}

function notOpened(uri: string, app: string, { access }: CloudStorageDeps): string {
  const bucket = bucketOf(uri);
  if (access?.buckets.some(({ name }) => name === bucket))
    return `the bucket '${bucket}' is not open to '${app}'; the operator can add it to its apps in cloudStorage.buckets of the configuration.`;
  return `to use this server's identity there, the operator adds '${bucket}' to cloudStorage.buckets of the configuration.`;
}

function reasonOf(uri: string) {
  return { reason: "CLOUD_STORAGE_FAILED", metadata: { uri } };
}
