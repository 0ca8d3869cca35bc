import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";

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

/** The page may load nothing from elsewhere and may not be framed. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Serves the built console: files by their path, every other page path as the one page. Answers false when the path is not
 * the console's business.
 */
export function createConsoleHandler(folder: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const path = pathOf(request);
    if (path === undefined) return false;
    const file = fileFor(folder, path);
    if (!file) return false;
    send(file, path, request, response);
    return true;
  };
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

function send(file: string, path: string, request: IncomingMessage, response: ServerResponse): void {
  const named = path.startsWith("/assets/"); // Vite puts a content hash into these names.
  response.writeHead(200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "content-length": statSync(file).size,
    "cache-control": named ? "public, max-age=31536000, immutable" : "no-cache",
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  if (request.method === "HEAD") return void response.end();
  if (extname(file) === ".html") return void response.end(readFileSync(file));
  // A file that goes while it is read ends its answer, not the server.
  createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response);
}
