import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Config, readConfig } from "#app";
import { definedFields } from "#base";
import { openSealer } from "./sealing-keys.ts";

const KEY = Buffer.alloc(32, 1).toString("base64");
const NEW_KEY = Buffer.alloc(32, 2).toString("base64");
const SECRET = Buffer.from("secret");

const folder = () => mkdtempSync(join(tmpdir(), "frontdesk-sealing-"));

/** The configuration of a section in the file, or of the variable. */
function configOf(section: object | undefined, environment: Record<string, string> = {}): Config["sealing"] {
  const file = join(folder(), "config.yaml");
  writeFileSync(file, JSON.stringify(definedFields({ sealing: section })));
  return readConfig(["--config", file], environment).sealing;
}

function withFile(text: string): object {
  const file = join(folder(), "keys");
  writeFileSync(file, text);
  return { file };
}

describe("the sealing keys", () => {
  it("are made in the data folder when none are configured, readable by their owner only", () => {
    const data = folder();
    const sealed = openSealer(configOf(undefined), data).seal(SECRET, "test");
    assert.deepEqual(
      openSealer(configOf(undefined), data).open(sealed, "test"),
      SECRET,
      "the same key at the next start",
    );
    assert.equal(statSync(join(data, "sealing.key")).mode & 0o777, 0o600);
    assert.equal(Buffer.from(readFileSync(join(data, "sealing.key"), "utf8"), "base64").length, 32);
  });

  const sealed = openSealer(configOf(undefined, { FRONTDESK_SEALING_KEY: KEY }), "").seal(SECRET, "test");
  for (const [what, config] of [
    ["a file", () => configOf(withFile(`${NEW_KEY}\n${KEY}\n`))],
    ["the output of a program", () => configOf({ command: ["printf", `${NEW_KEY}\\n${KEY}`] })],
    ["the environment", () => configOf(undefined, { FRONTDESK_SEALING_KEY: `${NEW_KEY},${KEY}` })],
  ] as const)
    it(`are read from ${what}, and old ones still open`, () => {
      const sealer = openSealer(config(), "");
      assert.deepEqual(sealer.open(sealed, "test"), SECRET);
      assert.equal(sealer.isCurrent(sealed), false);
    });

  for (const [what, config, message] of [
    ["a file that is not there", () => configOf({ file: "/nowhere/keys" }), /'sealing.file' cannot be read/],
    ["a file without a key", () => configOf(withFile("\n")), /has no sealing key/],
    ["a short key", () => configOf(withFile(`${KEY}\nc2hvcnQ=`)), /Key 2 .* has 5 bytes; use 32 bytes in base64/],
    ["a program that fails", () => configOf({ command: ["false"] }), /'false' .* failed \(exit code 1\)/],
    ["a program that is not there", () => configOf({ command: ["no-such-program"] }), /failed \(ENOENT\)/],
  ] as const)
    it(`say what is wrong with ${what}`, () => {
      assert.throws(() => openSealer(config(), ""), { name: "ConfigError", message });
    });
});
