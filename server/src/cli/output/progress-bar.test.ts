import assert from "node:assert/strict";
import { test } from "node:test";
import { showAsked, showProgress } from "./progress-bar.ts";

/** What a bar writes, and a promise of its next words. */
function terminal(isTTY: boolean) {
  const written: string[] = [];
  let told = () => {};
  const next = () => new Promise<void>((resolve) => (told = resolve));
  const write = (text: string) => {
    written.push(text);
    told();
    return true;
  };
  return { written, next, output: { isTTY, write } as Pick<NodeJS.WriteStream, "isTTY" | "write"> };
}

test("a bar of work elsewhere says how much is done, survives a question without an answer, and is gone in the end", async () => {
  const { written, next, output } = terminal(true);
  const answers = [async () => Promise.reject(new Error("busy")), async () => [12, 2500] as const];
  const bar = showAsked(() => (answers.shift() ?? (async () => [13, 2500] as const))(), output, 1);
  await next();
  assert.match(written[0] ?? "", / 12 of 2500/);
  await next();
  assert.match(written[1] ?? "", / 13 of 2500/);
  bar.end();
  assert.equal(written.at(-1), "\r\u001b[K");
});

test("nothing is asked where no terminal would show it", () => {
  const { written, output } = terminal(false);
  showAsked(() => assert.fail("asked"), output, 1).end();
  assert.deepEqual(written, []);
});

test("a bar is no wider than a narrow terminal, so that it stays on its line", () => {
  for (const columns of [80, 40, 24, 10]) {
    const { written, output } = terminal(true);
    showProgress({ ...output, columns }).update(1_000, 5_000);
    const [line = ""] = written;
    const shown = line.replace("\r", "").replace("\u001b[K", "");
    assert.match(shown, / 1000 of 5000$/);
    assert.ok(shown.length < Math.max(columns, 14), `${columns}: ${shown}`);
  }
});
