import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TenantShares } from "./tenant-shares.ts";

describe("TenantShares", () => {
  it("lets one tenant have all guests, and another one more", () => {
    const shares = new TenantShares({ maxGuests: 2, maxMembers: 8 });
    shares.began("noisy");
    assert.equal(shares.mayCompute("noisy"), true);
    shares.began("noisy");
    assert.deepEqual([shares.mayCompute("noisy"), shares.mayCompute("quiet")], [false, true]);
    shares.began("quiet");
    assert.equal(shares.mayCompute("quiet"), false);
    shares.paused("noisy");
    assert.deepEqual([shares.mayCompute("noisy"), shares.mayCompute("quiet")], [false, false]);
    shares.paused("noisy");
    assert.deepEqual([shares.mayCompute("noisy"), shares.mayCompute("quiet")], [true, true]);
  });

  it("gives a tenant as many guests as stay free, and the last one to a tenant that holds none", () => {
    for (const [maxMembers, held] of [
      [16, [8, 4, 2, 1, 1]],
      [8, [4, 2, 1, 1, 0]],
      [3, [2, 1, 0, 0, 0]],
      [2, [1, 1, 0, 0, 0]],
    ] as const) {
      const shares = new TenantShares({ maxGuests: 2, maxMembers });
      const found = held.map((_, tenant) => {
        let count = 0;
        for (; shares.free > 0 && shares.mayHold(`${tenant}`); count++) shares.took(`${tenant}`);
        return count;
      });
      assert.deepEqual(found, held, `of ${maxMembers} guests`);
      shares.gaveBack("0");
      assert.deepEqual([shares.mayHold("0"), shares.mayHold("newcomer")], [held[0] === 1, true]);
    }
  });

  it("holds a tenant back after three timeouts in a row, longer each time, until a call ends well", () => {
    let now = 1000;
    const shares = new TenantShares({ maxGuests: 4, maxMembers: 8 }, () => now);
    const end = (timedOut: boolean) => {
      shares.began("slow");
      shares.paused("slow");
      return shares.ended("slow", timedOut);
    };
    assert.deepEqual([end(true), end(true), end(true)], [0, 0, 100]);
    assert.deepEqual([shares.mayCompute("slow"), shares.mayCompute("other")], [false, true]);
    now += 100;
    shares.began("slow");
    assert.equal(shares.mayCompute("slow"), false, "one guest at a time");
    shares.paused("slow");
    assert.deepEqual([shares.ended("slow", true), end(true)], [200, 400]);
    assert.equal([1, 2, 3, 4, 5].map(() => end(true)).at(-1), 5_000);
    now += 5_000;
    assert.equal(end(false), 0);
    shares.began("slow");
    assert.equal(shares.mayCompute("slow"), true);
  });
});
