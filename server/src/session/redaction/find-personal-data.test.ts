import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findPersonalData } from "./find-personal-data.ts";

const found = (value: unknown) =>
  [...findPersonalData(value)].map(({ path, kinds }) => `${path.join(".")}: ${kinds.join(", ")}`);

describe("personal data in a value (EVAL-110)", () => {
  it("is named with its place, whatever texts and numbers it is in", () => {
    const value = {
      turns: [
        { text: "Hello" },
        { text: "I am ada@lovelace.org, card 4539 1488 0343 6467", args: { phone: "+44 20 7946 1234" } },
      ],
      account: 4539148803436467,
    };
    assert.deepEqual(found(value), [
      "turns.1.text: card number, mail address",
      "turns.1.args.phone: phone number",
      "account: card number",
    ]);
  });

  it("is none that is known to be invented", () => {
    for (const text of [
      "ada@example.com",
      "ada@shop.example.org",
      "ada@my.test",
      "(212) 555-0123",
      "4111 1111 1111 1111",
      "3782-822463-10005",
    ])
      assert.deepEqual(found({ text }), [], text);
    assert.deepEqual(found(["ada@example.com.evil.com"]), ["0: mail address"]);
  });

  it("is no id of a resource, no bytes and no number of an order", () => {
    assert.deepEqual(
      found(["projects/p/locations/us/apps/4539148803436467", "A-1001", "2026-11-29", 3.5, true, null]),
      [],
    );
    assert.deepEqual(found([`${"A".repeat(300)}+4420794612345`]), []);
  });
});
