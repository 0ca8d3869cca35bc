import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { type EvaluationsSearch, readEvaluationsSearch } from "../src/features/evaluations/evaluation-search.ts";
import { narrowEvaluations } from "../src/features/evaluations/narrow-evaluations.ts";

/** An evaluation with the counts of its last run by version; no counts: it never ran. */
function evaluation(id: string, tags: readonly string[], counts: Readonly<Record<string, readonly [number, number]>>) {
  const metricsByAppVersion = Object.entries(counts).map(([appVersionId, [passCount, failCount]]) => ({
    appVersionId: appVersionId === "draft" ? "" : appVersionId,
    ...{ passCount, failCount },
  }));
  const name = `projects/p/locations/l/apps/a/evaluations/${id}`;
  return create(EvaluationSchema, {
    name,
    displayName: `About ${id}`,
    tags: [...tags],
    aggregatedMetrics: { metricsByAppVersion },
  });
}

const ALL = [
  evaluation("refund-late", ["P0", "refunds"], { draft: [4, 1], v1: [5, 0] }),
  evaluation("refund-early", ["refunds"], { draft: [5, 0] }),
  evaluation("hours", ["P0"], { draft: [0, 0] }),
  evaluation("greeting", [], {}),
];

const found = (search: EvaluationsSearch, version = "") =>
  narrowEvaluations(ALL, search, version).map(({ name }) => name.slice(name.lastIndexOf("/") + 1));

describe("a list of evaluations", () => {
  it("is narrowed by words of name, id and tags in any order, by a tag, and by the last run of a version", () => {
    assert.deepEqual(found({}), ["refund-late", "refund-early", "hours", "greeting"]);
    assert.deepEqual(found({ words: "p0  REFUND" }), ["refund-late"]);
    assert.deepEqual(found({ tag: "P0" }), ["refund-late", "hours"]);
    assert.deepEqual(found({ last: "failed" }), ["refund-late"]);
    assert.deepEqual(found({ last: "passed" }), ["refund-early"]);
    assert.deepEqual(found({ last: "not-measured" }), ["hours"]);
    assert.deepEqual(found({ last: "not-run" }), ["greeting"]);
    assert.deepEqual(found({ last: "passed" }, "v1"), ["refund-late"]);
    assert.deepEqual(found({ tag: "refunds", last: "failed" }), ["refund-late"]);
  });

  it("takes what it knows from the address, numbers as words too", () => {
    const none = { words: undefined, tag: undefined, last: undefined };
    assert.deepEqual(readEvaluationsSearch({ words: 42, last: "wrong", tag: "", other: 1 }), { ...none, words: "42" });
    assert.deepEqual(readEvaluationsSearch({ tag: "P0", last: "failed" }), { ...none, tag: "P0", last: "failed" });
  });
});
