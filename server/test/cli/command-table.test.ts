import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { templateNames } from "#app";
import { parseCommandLine } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { TEMPLATES } from "../../src/cli/init.ts";
import { collections } from "../../src/cli/resources/collections.ts";
import { exitCodes } from "./exit-codes.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const PAGE = readFileSync(join(ROOT, "docs", "commands.md"), "utf8");
/** All pages of the documentation that show commands. */
const PAGES = globSync(["*.md", "{docs,examples,server,deploy}/**/*.md"], {
  cwd: ROOT,
  exclude: ["**/node_modules", "**/.frontdesk"],
}).map((path) => join(ROOT, path));

/** Commands without a result: they serve until they are stopped, or print what another program reads. */
const WITHOUT_RESULT = new Set(["start", "dev", "mcp", "completion"]);

/** The words of a command line, as a shell reads these quotes. */
const wordsOf = (line: string) =>
  (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));

describe("the table of commands", () => {
  it("has examples for each command, which its parser accepts", () => {
    for (const command of COMMANDS) {
      assert.ok(command.examples.length > 0, command.name);
      for (const example of command.examples) {
        const [name, ...args] = wordsOf(example);
        assert.equal(name, command.name);
        const { positionals } = parseCommandLine(command, args);
        if (command.words) assert.ok(command.words.includes(positionals[0] ?? ""), example);
        const methods = collections().get(command.name)?.methods;
        if (methods) assert.ok(Object.hasOwn(methods, positionals[0] ?? ""), example);
      }
    }
  });

  it("accepts each command line of the documentation", () => {
    const lines = PAGES.flatMap((path) =>
      readFileSync(path, "utf8")
        .replaceAll("\\\n", " ")
        .split("\n")
        .flatMap((line) => /^\s*(?:[A-Z_]+=\S+ )*npx --no frontdesk (\S.*)$/.exec(line)?.[1] ?? [])
        .map((line) => ({ path, line: line.replace(/\s+#.*|\s+[>|&].*/g, "") })),
    );
    assert.ok(lines.length > 60);
    for (const { path, line } of lines) {
      const [name, ...args] = wordsOf(line);
      if (name === "help" || name === "--version") continue;
      const command = COMMANDS.find((one) => one.name === name) ?? assert.fail(`${path}: ${line}`);
      const { positionals } = parseCommandLine(command, args);
      if (command.words) assert.ok(command.words.includes(positionals[0] ?? ""), `${path}: ${line}`);
    }
  });

  it("refuses operands that a command would ignore, and empty ones", () => {
    for (const command of COMMANDS.filter(({ operands }) => !/[…",]/.test(operands))) {
      const words = Array.from({ length: 4 }, (_, at) => `word${at}`);
      assert.throws(() => parseCommandLine(command, words), /takes .*; 'word\d' is one too many\./, command.name);
      if (command.operands !== "")
        assert.throws(() => parseCommandLine(command, [""]), /an operand is empty/, command.name);
    }
  });

  it("refuses empty values of flags, which would mean the default, but where the API takes them", () => {
    const taken = COMMANDS.flatMap((command) =>
      command.flags
        .filter(({ value }) => value !== undefined)
        .flatMap(({ name }) => {
          try {
            parseCommandLine(command, [`--${name}`, ""]);
            return [name];
          } catch (error) {
            assert.match((error as Error).message, /is empty: give it a value/);
            return [];
          }
        }),
    );
    assert.deepEqual([...new Set(taken)].toSorted(), ["description", "filter", "order-by"]);
  });

  it("gives each command with a result the same formats", () => {
    for (const { name, flags } of COMMANDS) {
      const formats = flags.filter((flag) => flag.name === "json" || flag.name === "output");
      assert.equal(formats.length, WITHOUT_RESULT.has(name) ? 0 : 2, name);
    }
  });

  it("names no command and no flag of a command twice", () => {
    const unique = (names: readonly string[]) => assert.deepEqual(names, [...new Set(names)]);
    unique(COMMANDS.map(({ name }) => name));
    for (const { flags } of COMMANDS) unique(flags.map(({ name }) => name));
  });

  it("has the exit codes that the documentation shows", () => {
    const rows = exitCodes(COMMANDS).map(({ code, meaning, commands }) => {
      const who = commands?.map((name) => `\`${name}\``).join(", ") ?? (code === 1 ? "all others" : "all");
      return `| ${code} | ${who} | ${meaning.replaceAll("|", "\\|")} |`;
    });
    const shown = PAGE.split("\n").filter((line) => /^\| \d+ \| /.test(line));
    assert.deepEqual(shown.toSorted(), rows.toSorted());
  });

  it("has the templates that there are", async () => {
    assert.deepEqual(TEMPLATES, await templateNames());
  });

  it("is on the page of the commands", () => {
    for (const { name } of COMMANDS) assert.ok(PAGE.includes(`\`${name}`), `${name} is missing in docs/commands.md`);
  });
});
