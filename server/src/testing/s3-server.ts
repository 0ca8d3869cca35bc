import { createHmac, hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** The keys that it accepts. */
export const S3_KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "hidden/secret+key" } as const;

/** A stand-in for an S3-compatible store: the wire of five calls over a real socket, with checked signatures (version 4) and S3's errors. */
export interface S3Server extends AsyncDisposable {
  /** `http://127.0.0.1:…`. */
  readonly endpoint: string;
  /** Content by `bucket/name`. */
  readonly objects: Map<string, Buffer>;
  /** Codes with which the next requests are refused, in order; `stall` answers nothing. */
  readonly refusals: ("AccessDenied" | "QuotaExceeded" | "InternalError" | "stall")[];
}

interface Reply {
  readonly status: number;
  readonly body: string | Buffer;
}

/** Starts one with an empty bucket. */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const refusals: S3Server["refusals"] = [];
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const reply = answer(request, body);
      if (reply) response.writeHead(reply.status).end(reply.body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  /** Undefined: none. */
  function answer(request: IncomingMessage, body: Buffer): Reply | undefined {
    const url = new URL(request.url ?? "", "http://s3");
    const refused = refusals.shift() ?? refusalOf(request, body);
    if (refused === "stall") return undefined;
    if (refused) return refusal(refused);
    if (bucketOf(url) !== bucket) return refusal("NoSuchBucket");
    const key = decodeURIComponent(url.pathname.slice(1));
    if (url.searchParams.get("list-type") === "2") return { status: 200, body: list(url.searchParams) };
    if (request.method === "PUT") objects.set(key, body);
    if (request.method === "DELETE") objects.delete(key);
    const found = request.method === "GET" ? objects.get(key) : Buffer.alloc(0);
    return found ? { status: request.method === "DELETE" ? 204 : 200, body: found } : refusal("NoSuchKey");
  }

  function list(query: URLSearchParams): string {
    const [prefix = "", after = "", most] = ["prefix", "start-after", "max-keys"].map((name) => query.get(name) ?? "");
    const keys = [...objects.keys()].map((key) => key.slice(bucket.length + 1)).toSorted();
    const listed = keys.filter((key) => key.startsWith(prefix) && key > after).slice(0, Number(most));
    const contents = listed.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    return `<ListBucketResult><Name>${bucket}</Name>${contents}</ListBucketResult>`;
  }

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refusals,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const STATUS: Readonly<Record<string, number>> = { NoSuchBucket: 404, NoSuchKey: 404, InternalError: 500 };

function refusal(code: string): Reply {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`;
  return { status: STATUS[code] ?? 403, body };
}

function bucketOf({ pathname }: URL): string {
  return pathname.split("/")[1] ?? "";
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Fifteen minutes, as S3. */
const MAX_SKEW_MS = 900_000;

/** Why the signature of a request does not count. */
function refusalOf({ method = "", url = "", headers }: IncomingMessage, body: Buffer): string | undefined {
  const authorization = String(headers.authorization ?? "");
  const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
    authorization,
  );
  if (!parts) return "AccessDenied";
  const [, keyId, scope = "", names = "", signature] = parts;
  const time = String(headers["x-amz-date"]);
  if (keyId !== S3_KEYS.accessKeyId) return "InvalidAccessKeyId";
  if (Math.abs(Date.parse(time.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5")) - Date.now()) > MAX_SKEW_MS)
    return "RequestTimeTooSkewed";
  if (headers["x-amz-content-sha256"] !== hash("sha256", body)) return "XAmzContentSHA256Mismatch";
  const values = Object.fromEntries(names.split(";").map((name) => [name, String(headers[name])]));
  const expected = signatureOf({ method, url, headers: values, time, scope, secret: S3_KEYS.secretAccessKey });
  return signature === expected ? undefined : "SignatureDoesNotMatch";
}

/** What is signed. `scope`: date, region, service and `aws4_request`. `headers`: the signed ones, by lower-case names. */
interface SignedParts {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly time: string;
  readonly scope: string;
  readonly secret: string;
}

/** The signature of a request, by the steps of "Create a signed AWS API request" of AWS's manual. */
export function signatureOf({ method, url, headers, time, scope, secret }: SignedParts): string {
  const [path = "", query = ""] = url.split("?");
  const names = Object.keys(headers).toSorted();
  const canonical = [
    ...[method, path, query.split("&").toSorted().join("&")],
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    ...["", names.join(";"), headers["x-amz-content-sha256"]],
  ];
  const text = ["AWS4-HMAC-SHA256", time, scope, hash("sha256", canonical.join("\n"))].join("\n");
  const key = scope.split("/").reduce<Buffer | string>((last, part) => mac(last, part), `AWS4${secret}`);
  return mac(key, text).toString("hex");
}

function mac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
