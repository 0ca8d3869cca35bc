import { createHmac } from "node:crypto";
import type { RefreshSchedule_Webhook as Webhook } from "@frontdesk/protos/gda/refresh_schedule";
import { type Egress, EgressError, resealed, type Sealer } from "#base";
import { type FieldViolation, invalidArgument } from "#status";

/** Where a webhook is, and the key of its signatures. Both are secrets: addresses of chat services carry their credential. */
interface Target {
  readonly url: string;
  readonly secret: string;
}

const PURPOSE = "alert-webhook";
const AT = "refresh_schedule.alert.webhook";
const MAX_URL = 2_048;
/** `whsec_` and 24 to 64 bytes in base64, as the Standard Webhooks specification has it. */
const SECRET = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;
/** Time for one attempt, milliseconds. */
const ATTEMPT_MS = 15_000;
/** Bytes of an answer that are read: it says nothing. */
const MAX_ANSWER = 64 * 1024;

/** Seals URL and secret of a request. INVALID_ARGUMENT for one without either, or of another form. */
export function sealWebhook({ url, secret }: Pick<Webhook, "url" | "secret">, sealer: Sealer): string {
  const violations: FieldViolation[] = [];
  if (!isAddress(url)) violations.push({ field: `${AT}.url`, description: "Give an http or https URL." });
  if (!SECRET.test(secret))
    violations.push({ field: `${AT}.secret`, description: "Give whsec_ and 24 to 64 random bytes in base64." });
  if (violations.length > 0) throw invalidArgument(violations);
  return Buffer.from(sealer.seal(Buffer.from(JSON.stringify({ url, secret })), PURPOSE)).toString("base64");
}

/** The same sealed with the newest key; undefined where it is. Throws `SealError`. */
export function resealedWebhook(sealed: string, sealer: Sealer): string | undefined {
  const anew = resealed(Buffer.from(sealed, "base64"), PURPOSE, sealer);
  return anew && Buffer.from(anew).toString("base64");
}

/** What everybody may see of the address. */
export function originOf(sealed: string, sealer: Sealer): string {
  return new URL(open(sealed, sealer).url).origin;
}

function isAddress(url: string): boolean {
  const parsed = url.length <= MAX_URL ? URL.parse(url) : null;
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === "" && parsed.password === "";
}

function open(sealed: string, sealer: Sealer): Target {
  return JSON.parse(Buffer.from(sealer.open(Buffer.from(sealed, "base64"), PURPOSE)).toString()) as Target;
}

/** A message to a webhook. */
interface WebhookMessage {
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  /** When it is sent, in milliseconds. */
  readonly now: number;
}

/** What became of an attempt. `isFinal`: another one would fail too. */
type Attempt = { readonly reason: string; readonly isFinal: boolean } | "arrived";

/** One attempt to tell a webhook, through the gate (CA-53). Never rejects because of the webhook. */
export async function postToWebhook(
  sealed: string,
  { id, body, now }: WebhookMessage,
  { egress, sealer }: { readonly egress: Egress; readonly sealer: Sealer },
  signal: AbortSignal,
): Promise<Attempt> {
  let target: Target;
  try {
    target = open(sealed, sealer);
  } catch {
    return { reason: "the webhook was sealed with another key; set it again", isFinal: true };
  }
  const timestamp = String(Math.floor(now / 1000));
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature(target.secret, `${id}.${timestamp}.${body}`)}`,
  };
  try {
    const limits = { timeoutMs: ATTEMPT_MS, followRedirects: false, maxBytes: MAX_ANSWER, signal };
    const { status } = await egress.fetch({ method: "POST", url: target.url, headers, body, ...limits });
    if (status >= 200 && status < 300) return "arrived";
    return { reason: `the webhook answered ${status}`, isFinal: status === 410 };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    // It has answered, at length.
    if (error.kind === "too-large") return "arrived";
    return { reason: withoutPath(error.message, target.url), isFinal: error.kind === "refused" };
  }
}

/** Paths of webhooks are secrets too. */
function withoutPath(message: string, url: string): string {
  const { origin, pathname } = new URL(url);
  return message.replaceAll(url, origin).replaceAll(`${origin}${pathname}`, origin);
}

function signature(secret: string, text: string): string {
  const key = Buffer.from(SECRET.exec(secret)?.[1] ?? "", "base64");
  return createHmac("sha256", key).update(text).digest("base64");
}
