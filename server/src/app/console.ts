import { existsSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { createCompressedFiles, type ReadCompressed } from "./compressed-files.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** The script that other sites embed. Its address has no hash, so it is asked for anew after an hour. */
const WIDGET = "/widget.js";

/** The page may load nothing from elsewhere and may not be framed. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Serves the built console: files by their path, every other page path as the one page. Answers false when the path is not
 * the console's business.
 */
export function createConsoleHandler(folder: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const read = createCompressedFiles();
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const path = pathOf(request);
    if (path === undefined) return false;
    const file = fileFor(folder, path);
    if (!file) return false;
    // A file that goes while it is read ends its answer, not the server.
    send(file, path, { request, response }, read).catch(() => response.destroy());
    return true;
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function pathOf(request: IncomingMessage): string | undefined {
  try {
    return decodeURIComponent((request.url ?? "/").split("?", 1)[0] ?? "/");
  } catch {
    return undefined; // A malformed escape names no file.
  }
}

function fileFor(folder: string, path: string): string | undefined {
  if (path.includes("\0")) return undefined; // names no file, and the file system refuses it by throwing
  const wanted = join(folder, normalize(path));
  if (!wanted.startsWith(folder + sep) && wanted !== folder + sep) return undefined;
  if (statSync(wanted, { throwIfNoEntry: false })?.isFile() && !path.includes("/.")) return wanted;
  const page = join(folder, "index.html");
  return isPage(path) && existsSync(page) ? page : undefined;
}

/** Pages are `/` and everything below `/console`, which the page's own router reads. */
function isPage(path: string): boolean {
  return path === "/" || path === "/console" || path.startsWith("/console/");
}

async function send(file: string, path: string, exchange: Exchange, read: ReadCompressed): Promise<void> {
  const { request, response } = exchange;
  const { bytes, encoding } = await read(file, String(request.headers["accept-encoding"] ?? ""));
  const { mtimeMs } = await stat(file);
  const etag = `"${mtimeMs.toString(36)}-${bytes.length.toString(36)}${encoding ?? ""}"`;
  const unchanged = request.headers["if-none-match"]?.split(/\s*,\s*/).includes(etag);
  // The port's guard may have set who else may read the answer, which varies by origin.
  const varied = [response.getHeader("vary"), "accept-encoding"].filter(Boolean).join(", ");
  response.writeHead(unchanged ? 304 : 200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    ...(!unchanged && { "content-length": bytes.length }),
    ...(encoding && { "content-encoding": encoding }),
    vary: varied,
    etag,
    ...cachingOf(path),
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  response.end(unchanged || request.method === "HEAD" ? undefined : bytes);
}

/** How long a file may be used without asking, and by whose pages. */
function cachingOf(path: string): Readonly<Record<string, string>> {
  // Vite puts a content hash into these names.
  if (path.startsWith("/assets/")) return { "cache-control": "public, max-age=31536000, immutable" };
  // The chat widget is there for pages of other sites, also those that demand consent of what they embed (COEP).
  if (path === WIDGET)
    return { "cache-control": "public, max-age=3600", "cross-origin-resource-policy": "cross-origin" };
  return { "cache-control": "no-cache" };
}
