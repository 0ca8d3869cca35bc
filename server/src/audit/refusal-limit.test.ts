import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuditEntry } from "./contract.ts";
import { createRefusalLimit } from "./refusal-limit.ts";

/** A limit whose clock the test moves, and what it has written. */
function limit() {
  const written: AuditEntry[] = [];
  const clock = { time: 0, now: () => clock.time };
  const write = async (entry: AuditEntry) => void written.push(entry);
  const { append, flush } = createRefusalLimit(write, clock);
  const refuse = (address: string, principal = "", outcome = "UNAUTHENTICATED") =>
    append({
      time: 0,
      method: "ListApps",
      address,
      principal,
      kind: principal ? "user" : "anonymous",
      outcome,
    } as AuditEntry);
  const reasons = () =>
    written.flatMap(({ reason, address, principal }) => (reason ? [`${principal}${address} ${reason}`] : []));
  return { written, clock, refuse, flush, reasons };
}

describe("refusals in the audit log (IAM-22)", () => {
  it("of one address have twenty entries a minute, and one that says how many more there were", async () => {
    const { written, clock, refuse, reasons } = limit();
    for (let at = 0; at < 1_000; at += 1) await refuse("203.0.113.9");
    assert.equal(written.length, 20);
    clock.time += 60_000;
    await refuse("203.0.113.9");
    assert.deepEqual(reasons(), ["203.0.113.9 980 more refusals within a minute"]);
    assert.deepEqual([written.length, written[20]?.method], [22, "frontdesk.audit.MoreRefusals"]);
  });

  it("of a network of IPv6 are those of one address, and of many addresses have sixty entries together at most", async () => {
    const { written, refuse, flush, reasons } = limit();
    for (let at = 0; at < 100; at += 1) await refuse(`2001:db8::${at.toString(16)}`);
    assert.equal(written.length, 20);
    for (let at = 0; at < 200; at += 1) await refuse(`198.51.100.${at}`);
    assert.equal(written.length, 59);
    await flush();
    assert.equal(reasons().length, 2);
    assert.deepEqual(reasons(), [
      "2001:db8::/64 80 more refusals within a minute",
      " 161 more refusals within a minute",
    ]);
  });

  it("of callers that are known are counted for each of them, whoever else is refused", async () => {
    const { written, refuse, flush, reasons } = limit();
    for (let at = 0; at < 500; at += 1) await refuse("203.0.113.9");
    for (let at = 0; at < 50; at += 1) await refuse("203.0.113.9", `user:u${at}@example.com`, "PERMISSION_DENIED");
    assert.equal(written.filter(({ principal }) => principal !== "").length, 50);
    for (let at = 0; at < 30; at += 1) await refuse("203.0.113.9", "user:u1@example.com", "PERMISSION_DENIED");
    await flush();
    assert.deepEqual(reasons().at(-1), "user:u1@example.com 11 more refusals within a minute");
  });

  it("alone are limited", async () => {
    const { written, refuse } = limit();
    for (let at = 0; at < 100; at += 1) await refuse("203.0.113.9", "", "OK");
    assert.equal(written.length, 100);
  });
});
