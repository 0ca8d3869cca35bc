import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";

/** What the launcher of a clone says of a console that is not there (`scripts/launch/console-folder.mjs`). */
interface BuildState {
  /** The process that builds it. */
  readonly pid?: number;
  readonly failed?: boolean;
}

/** Seconds after which a browser asks again for a console that is being built. */
const AGAIN_S = 2;

/** Answers for a page of the console while its folder holds none: it is being built, it could not be built, or nobody builds it. */
export function sendMissingConsole(
  folder: string,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
) {
  const state = stateIn(folder);
  const isBuilding = state.pid !== undefined && isRunning(state.pid);
  response.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...(isBuilding && { "retry-after": String(AGAIN_S) }),
    ...headers,
  });
  response.end(isBuilding ? BUILDING : state.failed ? FAILED : NOT_BUILT);
}

function stateIn(folder: string): BuildState {
  try {
    return JSON.parse(readFileSync(join(folder, ".build.json"), "utf8")) as BuildState;
  } catch {
    return {}; // Nobody has begun, or it is put in place just now.
  }
}

/** A process that was killed could not say that it no longer builds. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const BUILDING = page(
  "The console is being built",
  `<p role="status">This page shows it when it is ready, in less than a minute. The API answers already.</p>`,
  `<meta http-equiv="refresh" content="${AGAIN_S}">`,
);

const NOT_BUILT = page(
  "The console is not built here",
  "<p>The API answers. <code>npm start</code> in the clone builds the console.</p>",
);

/** Anybody may read it, so the reason is printed where the server was started, and not here. */
const FAILED = page(
  "The console could not be built",
  "<p>The terminal in which the server was started says why. <code>npm start</code> tries again. The API answers.</p>",
);

function page(title: string, content: string, head = ""): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title}</title>
<style>:root{color-scheme:light dark;font-family:system-ui,sans-serif}body{max-width:40rem;margin:20vh auto;padding:0 1rem}pre{white-space:pre-wrap}</style>
</head><body><main><h1>${title}</h1>${content}</main></body></html>
`;
}
