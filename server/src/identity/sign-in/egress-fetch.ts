import type { CustomFetch } from "openid-client";
import { definedFields, type Egress } from "#base";

/** Milliseconds that an issuer may take for one answer. */
const TIMEOUT_MS = 10_000;

/** Largest answer, bytes. */
const MAX_BYTES = 512 * 1024;

/** The `fetch` of the OpenID client, through the gate. */
export function egressFetch(egress: Egress): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const text = body === undefined || body === null ? undefined : String(body);
    const response = await egress.fetch({
      method,
      url,
      headers,
      ...definedFields({ body: text, signal }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      followRedirects: false,
    });
    const { status, statusText } = response;
    return new Response(status === 204 ? null : new Uint8Array(response.body), {
      status,
      statusText,
      headers: response.headers,
    });
  };
}
