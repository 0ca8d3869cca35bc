import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DtmfCollector } from "./dtmf-collector.ts";

describe("a keypad", () => {
  it("gathers keys until the finish digit, which is no part of the row unless it is all there is", () => {
    const keypad = new DtmfCollector();
    assert.deepEqual(keypad.press("12", 0), []);
    assert.deepEqual(keypad.press("3#4", 10), ["123"]);
    assert.deepEqual(keypad.press("#", 20), ["4"]);
    assert.deepEqual(keypad.press("#", 30), ["#"]);
  });

  it("ends a row three seconds after its last key", () => {
    const keypad = new DtmfCollector();
    assert.equal(keypad.remainingMs(0), undefined);
    keypad.press("1", 1_000);
    keypad.press("2", 2_000);
    assert.deepEqual([keypad.remainingMs(2_500), keypad.remainingMs(9_000)], [2_500, 0]);
    assert.deepEqual([keypad.take(), keypad.take()], [["12"], []]);
  });

  it("ends by its settings, or after 64 keys", () => {
    const keypad = new DtmfCollector();
    keypad.settings = { finishDigit: "", endpointingMs: 1_000 };
    assert.deepEqual(keypad.press("1#2*", 0), []);
    assert.equal(keypad.remainingMs(400), 600);
    assert.deepEqual(keypad.take(), ["1#2*"]);
    assert.deepEqual(keypad.press("5".repeat(65), 0), ["5".repeat(64)]);
  });
});
