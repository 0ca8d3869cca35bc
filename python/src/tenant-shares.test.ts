import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TenantShares } from "./tenant-shares.ts";

describe("TenantShares", () => {
  it("lets one tenant have all guests, and another one more", () => {
    const shares = new TenantShares(2);
    shares.began("noisy");
    assert.equal(shares.mayStart("noisy"), true);
    shares.began("noisy");
    assert.deepEqual([shares.mayStart("noisy"), shares.mayStart("quiet")], [false, true]);
    shares.began("quiet");
    assert.equal(shares.mayStart("quiet"), false);
    shares.paused("noisy");
    assert.deepEqual([shares.mayStart("noisy"), shares.mayStart("quiet")], [false, false]);
    shares.paused("noisy");
    assert.deepEqual([shares.mayStart("noisy"), shares.mayStart("quiet")], [true, true]);
  });

  it("holds a tenant back after three timeouts in a row, longer each time, until a call ends well", () => {
    let now = 1000;
    const shares = new TenantShares(4, () => now);
    const end = (timedOut: boolean) => {
      shares.began("slow");
      shares.paused("slow");
      return shares.ended("slow", timedOut);
    };
    assert.deepEqual([end(true), end(true), end(true)], [0, 0, 100]);
    assert.deepEqual([shares.mayStart("slow"), shares.mayStart("other")], [false, true]);
    now += 100;
    shares.began("slow");
    assert.equal(shares.mayStart("slow"), false, "one guest at a time");
    shares.paused("slow");
    assert.deepEqual([shares.ended("slow", true), end(true)], [200, 400]);
    assert.equal([1, 2, 3, 4, 5].map(() => end(true)).at(-1), 5_000);
    now += 5_000;
    assert.equal(end(false), 0);
    shares.began("slow");
    assert.equal(shares.mayStart("slow"), true);
  });
});
