import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { createCompressedFiles, isStored, type ReadCompressed } from "./compressed-files.ts";
import { sendMissingConsole } from "./missing-console.ts";

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
const POLICY = {
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** Where the documentation is served. */
const DOCS = "/docs";

/** What `/docs` says in a clone in which nobody built the documentation. */
const NO_DOCS =
  "The documentation is in the folder docs/ of the clone; 'npm run docs:build' makes pages of it for this address.\n";

/**
 * Serves the built console: files by their path, and `index.html` for the paths of its pages, or what became of it. Below `/docs` it serves the built
 * documentation, of which `docs` is the folder. Returns false when the path is neither's.
 */
export function createConsoleHandler(
  folder: string,
  docs: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const read = createCompressedFiles();
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const path = pathOf(request);
    if (path === undefined) return false;
    const isDocs = path === DOCS || path.startsWith(`${DOCS}/`);
    const file = isDocs ? docsFileFor(docs, path.slice(DOCS.length)) : fileFor(folder, path);
    if (!file && !isDocs && isPage(path)) {
      sendMissingConsole(folder, response, POLICY);
      return true;
    }
    if (!file && isDocs) response.writeHead(404, { "content-type": TYPES[".txt"] }).end(NO_DOCS);
    if (!file) return isDocs;
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
  return fileBelow(folder, path) ?? (isPage(path) ? fileBelow(folder, "/index.html") : undefined);
}

/** Addresses of pages have no ending. A page that does not exist is the page that says so. */
function docsFileFor(folder: string, path: string): string | undefined {
  const page = path === "" || path.endsWith("/") ? `${path}/index.html` : `${path}.html`;
  return fileBelow(folder, path) ?? fileBelow(folder, page) ?? fileBelow(folder, "/404.html");
}

function fileBelow(folder: string, path: string): string | undefined {
  if (path.includes("\0") || path.includes("/.")) return undefined; // the file system would throw; hidden
  const file = join(folder, normalize(path));
  if (!file.startsWith(folder + sep)) return undefined;
  return isStored(file) ? file : undefined;
}

/** Pages are `/` and everything below `/console`; the router of the console reads the path. */
function isPage(path: string): boolean {
  return path === "/" || path === "/console" || path.startsWith("/console/");
}

/** Whether a tag is in the list of an `If-None-Match`. */
function isAmong(etag: string, list = ""): boolean {
  return list.split(",").some((item) => item.trim() === etag);
}

async function send(file: string, path: string, exchange: Exchange, read: ReadCompressed): Promise<void> {
  const { request, response } = exchange;
  const { bytes, encoding, mtimeMs } = await read(file, String(request.headers["accept-encoding"] ?? ""));
  const etag = `"${mtimeMs.toString(36)}-${bytes.length.toString(36)}${encoding ?? ""}"`;
  const unchanged = isAmong(etag, request.headers["if-none-match"]);
  // The origin guard may have set CORS headers, which vary by origin.
  const varied = [response.getHeader("vary"), "accept-encoding"].filter(Boolean).join(", ");
  response.writeHead(unchanged ? 304 : path.startsWith(DOCS) && file.endsWith("404.html") ? 404 : 200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    ...(!unchanged && { "content-length": bytes.length }),
    ...(encoding && { "content-encoding": encoding }),
    vary: varied,
    etag,
    ...cachingOf(path),
    ...POLICY,
  });
  response.end(unchanged || request.method === "HEAD" ? undefined : bytes);
}

/** How long browsers may cache a file, and which origins may load it. */
function cachingOf(path: string): Readonly<Record<string, string>> {
  // Vite adds a content hash to these names.
  if (path.startsWith("/assets/") || path.startsWith(`${DOCS}/assets/`))
    return { "cache-control": "public, max-age=31536000, immutable" };
  // Pages of other sites load the chat widget, also those that require CORP of what they embed (COEP).
  if (path === WIDGET)
    return { "cache-control": "public, max-age=3600", "cross-origin-resource-policy": "cross-origin" };
  return { "cache-control": "no-cache" };
}
