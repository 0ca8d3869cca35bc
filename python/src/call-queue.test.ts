import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CallQueue } from "./call-queue.ts";

const call = (tenant: string, group: string) => ({ tenant, group });

function queueOf(...calls: { tenant: string; group: string }[]) {
  const queue = new CallQueue<{ tenant: string; group: string }>();
  for (const one of calls) queue.add(one);
  return queue;
}

function drain(queue: CallQueue<{ tenant: string; group: string }>): string[] {
  const groups: string[] = [];
  for (let one = queue.take(); one; one = queue.take()) groups.push(one.group);
  return groups;
}

describe("CallQueue", () => {
  it("serves tenants by turns, each in its own order", () => {
    const queue = queueOf(
      call("a", "a1"),
      call("a", "a2"),
      call("a", "a3"),
      call("b", "b1"),
      call("c", "c1"),
      call("b", "b2"),
    );
    assert.deepEqual(drain(queue), ["a1", "b1", "c1", "a2", "b2", "a3"]);
    assert.equal(queue.size, 0);
  });

  it("finds and removes a call out of order", () => {
    const late = call("b", "b1");
    const queue = queueOf(call("a", "a1"), late, call("a", "a2"));
    assert.equal(queue.lineOf("a").length, 2);
    assert.equal(queue.takeMatching(({ group }) => group === "a2")?.group, "a2");
    assert.deepEqual([queue.remove(late), queue.remove(late)], [true, false]);
    assert.deepEqual(drain(queue), ["a1"]);
  });

  it("passes over calls that may not start, and serves those behind them", () => {
    const queue = queueOf(call("a", "a1"), call("a", "a2"));
    assert.equal(queue.take(({ group }) => group !== "a1")?.group, "a2");
    assert.deepEqual(drain(queue), ["a1"]);
  });

  it("passes over tenants that may not start, who keep their place", () => {
    const queue = queueOf(call("a", "a1"), call("b", "b1"), call("b", "b2"));
    const notA = ({ tenant }: { tenant: string }) => tenant !== "a";
    assert.equal(queue.take(notA)?.group, "b1");
    assert.deepEqual([...queue.tenants()], ["a", "b"]);
    assert.equal(queue.take(notA)?.group, "b2");
    assert.equal(queue.take(notA), undefined);
    assert.deepEqual(drain(queue), ["a1"]);
  });
});
