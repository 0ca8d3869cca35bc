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

/** The script that other sites embed. Its path has no hash, so it may be cached for an hour only. */
const WIDGET = "/widget.js";

/** The page may not load anything from other origins and may not be framed. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Serves the built console: files by their path, and `index.html` for the paths of its pages. Returns false when the path is not one of
 * the console's.
 */
export function createConsoleHandler(folder: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const read = createCompressedFiles();
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const path = pathOf(request);
    if (path === undefined) return false;
    const file = fileFor(folder, path);
    if (!file) return false;
    // A file that is removed while it is read ends its response, not the server.
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
    return undefined; // A malformed escape is not the path of a file.
  }
}

function fileFor(folder: string, path: string): string | undefined {
  if (path.includes("\0")) return undefined; // the file system would throw
  const file = join(folder, normalize(path));
  if (!file.startsWith(folder + sep) && file !== folder + sep) return undefined;
  if (statSync(file, { throwIfNoEntry: false })?.isFile() && !path.includes("/.")) return file;
  const page = join(folder, "index.html");
  return isPage(path) && existsSync(page) ? page : undefined;
}

/** Pages are `/` and everything below `/console`; the router of the console reads the path. */
function isPage(path: string): boolean {
  return path === "/" || path === "/console" || path.startsWith("/console/");
}

async function send(file: string, path: string, exchange: Exchange, read: ReadCompressed): Promise<void> {
  const { request, response } = exchange;
  const { bytes, encoding } = await read(file, String(request.headers["accept-encoding"] ?? ""));
  const { mtimeMs } = await stat(file);
  const etag = `"${mtimeMs.toString(36)}-${bytes.length.toString(36)}${encoding ?? ""}"`;
  const unchanged = request.headers["if-none-match"]?.split(/\s*,\s*/).includes(etag);
  // The origin guard may have set CORS headers, which vary by origin.
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

/** How long browsers may cache a file, and which origins may load it. */
function cachingOf(path: string): Readonly<Record<string, string>> {
  // Vite adds a content hash to these names.
  if (path.startsWith("/assets/")) return { "cache-control": "public, max-age=31536000, immutable" };
  // Pages of other sites load the chat widget, also those that require CORP of what they embed (COEP).
  if (path === WIDGET)
    return { "cache-control": "public, max-age=3600", "cross-origin-resource-policy": "cross-origin" };
  return { "cache-control": "no-cache" };
}
