import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { createRoles } from "#access";
import type { TestServer } from "#testing";
import { startAccessServer } from "./access-server.ts";

const PAGE = join(resolve(import.meta.dirname, "..", "..", ".."), "docs", "access.md");
const MADE = /<!-- made by server\/test\/access\/page\.test\.ts -->\n(.*?)\n?<!-- end -->/gs;

/** Writes the tables of the page instead of comparing them: `UPDATE_PAGES=1 npm test -- server/test/access/page.test.ts`. */
const UPDATE = process.env.UPDATE_PAGES !== undefined;

let server: TestServer;
before(async () => {
  server = await startAccessServer([]);
});
after(() => server[Symbol.asyncDispose]());

/** Permissions with the methods of the internal revision that ask for them. */
function methodsByPermission(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { internalMethod, revision } of server.app.registry.methods) {
    if (revision !== "v1beta") continue;
    for (const permission of server.app.access.ruleOf(internalMethod)?.permissions ?? []) {
      const names = found.get(permission) ?? [];
      found.set(permission, names.includes(internalMethod.name) ? names : [...names, internalMethod.name]);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function rolesTable(permissions: readonly string[]): string {
  const roles = createRoles();
  const rows = roles.names.map((name) => {
    const role = roles.find(name);
    const count = permissions.filter((permission) => role?.grants(permission)).length;
    return `| \`${name}\` | ${role?.title} | ${count} |`;
  });
  return ["| role | what it is for | permissions |", "| --- | --- | --- |", ...rows].join("\n");
}

function permissionsTable(methods: ReadonlyMap<string, readonly string[]>): string {
  const short = ["owner", "ces.editor", "viewer", "ces.client", "ces.evalsEditor", "frontdesk.analyst"];
  const roles = createRoles();
  const rows = [...methods].map(([permission, names]) => {
    const marks = short.map((role) => (roles.find(`roles/${role}`)?.grants(permission) ? "●" : ""));
    return `| \`${permission}\` | ${names.join(", ")} | ${marks.join(" | ")} |`;
  });
  const head = `| permission | methods | ${short.map((role) => `\`${role}\``).join(" | ")} |`;
  return [head, `| --- | --- |${" --- |".repeat(short.length)}`, ...rows].join("\n");
}

describe("every method", () => {
  it("has a permission, from the table or derived", () => {
    const { access, registry } = server.app;
    const without = registry.methods.filter(({ internalMethod }) => !access.ruleOf(internalMethod));
    assert.deepEqual(
      without.map(({ path }) => path),
      [],
    );
  });
});

describe("docs/access.md", () => {
  it("has the roles and permissions of the code", () => {
    const methods = methodsByPermission();
    const tables = [rolesTable([...methods.keys()]), permissionsTable(methods)];
    const page = readFileSync(PAGE, "utf8");
    let at = 0;
    const made = page.replaceAll(MADE, (block, text: string) =>
      block.replace(`-->\n${text}`, `-->\n\n${tables[at++]}\n`),
    );
    if (UPDATE) return writeFileSync(PAGE, made);
    const shown = [...page.matchAll(MADE)].map(([, text = ""]) => text.trim());
    assert.deepEqual(shown, tables);
  });
});
