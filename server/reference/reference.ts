import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#app";
import { type App, buildApp } from "../src/app/build-app.ts";
import { apiMethods } from "./api-methods.ts";
import { apiPages } from "./api-pages.ts";
import { commandPages } from "./command-pages.ts";
import { configurationPages } from "./configuration-pages.ts";
import { readComments } from "./definition-comments.ts";
import { errorPages } from "./error-pages.ts";
import { paragraphs, type ReferencePage, table } from "./markdown.ts";
import { mcpPages } from "./mcp-pages.ts";
import { pythonPages } from "./python-pages.ts";

/** Pages of one kind, and the page that lists them. */
export interface ReferenceGroup {
  readonly title: string;
  readonly index: ReferencePage;
  readonly pages: readonly ReferencePage[];
}

/** The reference of this version: of what the server registers, parses and checks, so that it cannot be out of date. */
export async function makeReference(): Promise<readonly ReferenceGroup[]> {
  return withApp((app) => {
    const methods = apiMethods(app);
    return [
      group("REST and gRPC", "reference/api", "programs that call the API", apiPages(methods, readComments())),
      group("MCP tools", "reference/mcp", "clients of the MCP server", mcpPages(app.registry)),
      group("Command line", "reference/commands", "those who work in a terminal", commandPages()),
      group("Configuration keys", "reference/configuration", "operators", configurationPages()),
      group("Python classes", "reference/python", "those who write tools and callbacks", pythonPages()),
      group("Errors by code", "reference/errors", "whoever got an error", errorPages()),
    ];
  });
}

function group(title: string, folder: string, reader: string, pages: readonly ReferencePage[]): ReferenceGroup {
  const rows = pages.map((page) => {
    const heading = /^# (.+)$/m.exec(page.text)?.[1] ?? page.title;
    return [`[${heading}](${page.path.slice("reference/".length)}.md)`];
  });
  const text = paragraphs(
    `# ${title}`,
    `For ${reader}. Made from this version's own definitions.`,
    table(["page"], rows),
  );
  return { title, index: { path: folder, title, text }, pages };
}

/** A server without a port and with nothing in it: what it registers is all that is asked of it. */
async function withApp<Result>(use: (app: App) => Result): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-reference-"));
  const app = await buildApp(readConfig(["--data", folder, "--no-example", "--log", "silent"], {}));
  try {
    return use(app);
  } finally {
    await app.close(0);
    rmSync(folder, { recursive: true, force: true });
  }
}
