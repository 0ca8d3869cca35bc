import assert from "node:assert/strict";
import { it } from "node:test";
import { limitBegun } from "./limit-begun.ts";

it("counts the logins of an address, and of an IPv6 subscriber's addresses together, until their time is over (AUTH-23)", () => {
  let now = 0;
  const count = limitBegun(2, 60_000, () => now);
  const refuses = (address: string) => {
    try {
      count(address);
      return false;
    } catch {
      return true;
    }
  };
  assert.deepEqual(["10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"].map(refuses), [false, false, true, false]);
  assert.deepEqual(["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"].map(refuses), [
    false,
    false,
    true,
    false,
  ]);
  now = 60_000;
  assert.equal(refuses("10.0.0.1"), false);
});
