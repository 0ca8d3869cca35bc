import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSealer, isSealed, SealError } from "#base";

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const SECRET = new TextEncoder().encode("a token of a channel");

describe("a sealer", () => {
  it("gives back what it sealed, and shows nothing of it", () => {
    const sealer = createSealer([NEW]);
    const sealed = sealer.seal(SECRET, "push");
    assert.ok(isSealed(sealed) && !Buffer.from(sealed).includes("token"));
    assert.deepEqual(new Uint8Array(sealer.open(sealed, "push")), SECRET);
    assert.notDeepEqual(sealer.seal(SECRET, "push"), sealed, "the same secret never looks the same");
  });

  it("opens with an old key, and says that it should be sealed again", () => {
    const sealed = createSealer([OLD]).seal(SECRET, "push");
    const rotated = createSealer([NEW, OLD]);
    assert.deepEqual(new Uint8Array(rotated.open(sealed, "push")), SECRET);
    assert.equal(rotated.isCurrent(sealed), false);
    assert.equal(rotated.isCurrent(rotated.seal(SECRET, "push")), true);
  });

  const sealed = createSealer([NEW]).seal(SECRET, "push");
  const flipped = Uint8Array.from(sealed, (byte, at) => (at === 30 ? byte ^ 1 : byte));
  for (const [what, open, message] of [
    ["bytes that were changed", () => createSealer([NEW]).open(flipped, "push"), /was changed/],
    ["bytes for another purpose", () => createSealer([NEW]).open(sealed, "keys"), /another purpose/],
    ["bytes of a key that is gone", () => createSealer([OLD]).open(sealed, "push"), /add it to the old keys/],
    ["bytes that are not sealed", () => createSealer([NEW]).open(SECRET, "push"), /not sealed/],
    ["a key that is too short", () => createSealer([SECRET]), /20 bytes instead of 32/],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.throws(open, (error) => error instanceof SealError && message.test(error.message));
    });
});
