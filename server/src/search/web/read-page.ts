import { definedFields, type Egress, EgressError } from "#base";
import { type DocumentKind, kindOfType } from "../documents/parse-document.ts";
import { DocumentFault } from "../documents/parsed-document.ts";

const PAGE_BYTES = 10 * 1024 * 1024;
const PAGE_MS = 15_000;

/** Fetches a web page through the egress gate: at most 10 MB in 15 s. Rejects with `DocumentFault`. */
export async function readPage(
  url: string,
  egress: Pick<Egress, "fetch">,
  signal?: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly kind: DocumentKind }> {
  try {
    const { status, headers, body } = await egress.fetch({
      method: "GET",
      url,
      headers: { accept: "text/html, application/xhtml+xml, application/pdf, text/plain;q=0.8" },
      timeoutMs: PAGE_MS,
      followRedirects: true,
      maxBytes: PAGE_BYTES,
      ...definedFields({ signal }),
    });
    if (status !== 200)
      throw new DocumentFault(`${url} answers with status ${status}`, { passes: status >= 500 || status === 429 });
    const kind = kindOfType(headers["content-type"] ?? "text/html");
    if (!kind) throw new DocumentFault(`${url} is ${headers["content-type"]}, which is not supported`);
    return { bytes: body, kind };
  } catch (error) {
    if (error instanceof EgressError)
      throw new DocumentFault(error.message, { passes: error.kind === "failed" || error.kind === "timeout" });
    throw error;
  }
}
