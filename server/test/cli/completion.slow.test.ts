import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { bashScript } from "../../src/cli/completion/bash-script.ts";
import { fishScript } from "../../src/cli/completion/fish-script.ts";
import { runCommand } from "../command-line.ts";

/** Words of a line, the last being completed, and some of what is offered; nothing: files. */
const LINES: readonly [words: readonly string[], offered: readonly string[], withheld: readonly string[]][] = [
  [["frontdesk", ""], ["start", "dev", "agents", "help"], ["--output"]],
  [["frontdesk", "ag"], ["agents"], ["start"]],
  [["frontdesk", "agents", ""], ["list", "get", "create", "update", "delete"], ["--app"]],
  [["frontdesk", "context", "u"], ["use"], ["set"]],
  [["frontdesk", "agents", "list", "--o"], ["--output", "--order-by"], ["--app"]],
  [["frontdesk", "agents", "list", "--output", ""], ["table", "yaml", "json", "name"], ["list"]],
  [["frontdesk", "lint", "--format", "s"], ["sarif"], ["json"]],
  [["frontdesk", "agents", "list", "--output=j"], ["--output=json"], ["--output=yaml"]],
  [["frontdesk", "agents", "--app", "x", ""], ["list", "create"], ["--app"]],
  [["frontdesk", "agents", "--json", "l"], ["list"], ["get"]],
  [["frontdesk", "agents", "list", "--app", "x", ""], [], ["list", "create"]],
  [
    ["frontdesk", "changelogs", ""],
    ["list", "get"],
    ["create", "update", "delete"],
  ],
  [
    ["frontdesk", "security-settings", ""],
    ["get", "update"],
    ["list", "create", "delete"],
  ],
  [["frontdesk", "--"], ["--version", "--help"], ["start"]],
  [["frontdesk", "help", "dep"], ["deploy", "deployments"], ["start"]],
];

const isInstalled = (shell: string) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, shell), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

describe("frontdesk completion", () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-completion-"));
  before(() => {
    writeFileSync(join(folder, "frontdesk.bash"), bashScript(COMMANDS));
    writeFileSync(join(folder, "frontdesk.fish"), fishScript(COMMANDS));
  });
  after(() => rmSync(folder, { recursive: true }));

  const without = (shell: string) => ({ skip: isInstalled(shell) ? false : `${shell} is not installed` });
  const check = (complete: (words: readonly string[]) => readonly string[]) => {
    for (const [words, offered, withheld] of LINES) {
      const found = complete(words);
      for (const word of offered) assert.ok(found.includes(word), `${words.join(" ")}: ${word} of ${found.join(" ")}`);
      for (const word of withheld) assert.ok(!found.includes(word), `${words.join(" ")}: not ${word}`);
    }
  };
  /** What bash offers for the words of a line, of which the last is being written. */
  const inBash = (words: readonly string[]) => {
    const asked = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _frontdesk; printf "%s\\n" "\${COMPREPLY[@]}"`;
    const output = execFileSync("bash", ["-c", asked, "bash", join(folder, "frontdesk.bash"), ...words]);
    return output.toString().split("\n").filter(Boolean);
  };

  it("prints the script of a shell, and says which there are", async () => {
    assert.deepEqual(await runCommand(["completion", "bash"]), { code: 0, stdout: bashScript(COMMANDS), stderr: "" });
    const { code, stderr } = await runCommand(["completion", "fisch"]);
    assert.deepEqual([code, stderr], [1, "frontdesk: name one shell: bash, zsh, fish. Did you mean fish?\n"]);
  });

  it("completes commands, verbs, flags and values in bash", without("bash"), () => check(inBash));

  it("leaves files to bash, and understands --flag=value", without("bash"), () => {
    assert.deepEqual(inBash(["frontdesk", "import", ""]), []);
    assert.deepEqual(inBash(["frontdesk", "agents", "create", "--file", ""]), []);
    assert.deepEqual(inBash(["frontdesk", "agents", "list", "--output", "=", "js"]), ["json"]);
    assert.deepEqual(inBash(["frontdesk", "agents", "--app", "=", "x", "li"]), ["list"]);
    const asked = execFileSync("bash", [
      "-c",
      'source "$1"; source "$1"; complete -p frontdesk',
      "bash",
      join(folder, "frontdesk.bash"),
    ]);
    assert.equal(asked.toString(), "complete -o default -F _frontdesk frontdesk\n");
  });

  it("evaluates nothing of the line in bash", without("bash"), () => {
    const trap = join(folder, "ran");
    inBash(["frontdesk", "agents", `$(touch ${trap})`, "`touch x`", ""]);
    inBash(["frontdesk", `$(touch ${trap})`]);
    assert.throws(() => accessSync(trap));
  });

  it("completes the same in zsh", without("zsh"), () => {
    check((words) => {
      const asked = `autoload -U +X bashcompinit compinit; compinit -u; bashcompinit; source "$1"; shift; emulate -L ksh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _frontdesk; print -l -- "\${COMPREPLY[@]}"`;
      const output = execFileSync("zsh", ["-f", "-c", asked, "zsh", join(folder, "frontdesk.bash"), ...words]);
      // zsh's compgen offers all words and leaves it to compadd to match what is written.
      return output
        .toString()
        .split("\n")
        .filter((word) => word !== "" && word.startsWith(words.at(-1) ?? ""));
    });
  });

  it("completes the same in fish", without("fish"), () => {
    check((words) => {
      const asked = `source ${join(folder, "frontdesk.fish")}; complete -C ${JSON.stringify(words.join(" "))}`;
      const output = execFileSync("fish", ["--no-config", "-c", asked]);
      return output
        .toString()
        .split("\n")
        .map((line) => line.split("\t")[0] ?? "");
    });
  });
});
