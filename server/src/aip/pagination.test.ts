import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ListAgentsRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { JsonValue } from "#base";
import { Code, ConnectError } from "#status";
import { parseOrderBy } from "./ordering.ts";
import { decodePageToken, encodePageToken, MOST_SCANNED, pageSizeOf, requestChecksum, scanPage } from "./pagination.ts";

const isInvalidArgument = (error: unknown) => error instanceof ConnectError && error.code === Code.InvalidArgument;

describe("pageSizeOf", () => {
  it("is the default for zero, at most the maximum, and never negative", () => {
    assert.deepEqual(
      [
        pageSizeOf(0),
        pageSizeOf(7),
        pageSizeOf(5000),
        pageSizeOf(0, { defaultSize: 3 }),
        pageSizeOf(9, { maxSize: 4 }),
      ],
      [50, 7, 1000, 3, 4],
    );
    assert.throws(() => pageSizeOf(-1), isInvalidArgument);
  });
});

describe("a page token", () => {
  const checksum = (init: object) => requestChecksum(ListAgentsRequestSchema, create(ListAgentsRequestSchema, init));
  const token = encodePageToken([12.5, "naïve name"], checksum({ parent: "p", filter: "f" }));

  it("continues the same request, whatever its page size", () => {
    assert.deepEqual(
      decodePageToken(token, checksum({ parent: "p", filter: "f", pageSize: 3, pageToken: token }), "sorted"),
      [12.5, "naïve name"],
    );
    assert.equal(decodePageToken("", checksum({}), "name"), undefined);
  });

  it("is rejected for another request", () => {
    for (const other of [
      { parent: "q", filter: "f" },
      { parent: "p" },
      { parent: "p", filter: "f", orderBy: "name" },
    ]) {
      assert.throws(() => decodePageToken(token, checksum(other), "sorted"), isInvalidArgument);
    }
  });

  it("is rejected when its position has another form, also with a checksum that fits", () => {
    const sum = checksum({ parent: "p" });
    const others: Readonly<Record<"name" | "number" | "sorted" | "timed", readonly JsonValue[]>> = {
      name: [1, null, ["a"], {}],
      number: ["1", -1, 1e300, null, [1]],
      sorted: ["a", ["a"], [null, "a"], ["a", 1], ["a", "b", "c"], [{}, "a"], [1e300, "a"]],
      timed: [["a", "b"], [1], [1, 2], { length: 2 }],
    };
    for (const [form, positions] of Object.entries(others))
      for (const position of positions)
        assert.throws(
          () => decodePageToken(encodePageToken(position, sum), sum, form as "name"),
          isInvalidArgument,
          `${form} ${JSON.stringify(position)}`,
        );
    assert.equal(decodePageToken(encodePageToken(0, sum), sum, "number"), 0);
  });

  it("is rejected when a single character was changed", () => {
    for (let index = 0; index < token.length; index++) {
      const altered = token.slice(0, index) + (token[index] === "A" ? "B" : "A") + token.slice(index + 1);
      // The last character of base64url can have unused bits.
      if (Buffer.from(altered, "base64url").equals(Buffer.from(token, "base64url"))) continue;
      assert.throws(
        () => decodePageToken(altered, checksum({ parent: "p", filter: "f" }), "sorted"),
        isInvalidArgument,
      );
    }
  });
});

describe("scanPage", () => {
  /** Whole numbers up to `count`, of which the list has those that are divisible. */
  const scan = (count: number, divisor: number, after?: number) =>
    scanPage<number, number, number>({
      ...{ size: 3, after },
      read: async (from = 0, limit) => {
        const rows = Array.from({ length: Math.min(limit, count - from) }, (_, at) => from + at + 1);
        return { rows, ...(from + limit < count && { last: from + limit }) };
      },
      itemOf: (row) => (row % divisor === 0 ? row : undefined),
      positionOf: (row) => row,
    });

  it("reads on until the page is full, or the rows end", async () => {
    assert.deepEqual(await scan(4_000, 1_000), { items: [1_000, 2_000, 3_000], next: 3_000 });
    assert.deepEqual(await scan(3_000, 1_000), { items: [1_000, 2_000, 3_000] });
    assert.deepEqual(await scan(2_500, 1_000), { items: [1_000, 2_000] });
  });

  it("ends after so many rows, whatever it has, and goes on from there (DB-28)", async () => {
    const far = MOST_SCANNED + 1_000;
    const first = await scan(2 * far, far);
    assert.deepEqual(first.items, []);
    assert.deepEqual(await scan(2 * far, far, first.next), { items: [far], next: first.next && 2 * first.next });
  });
});

describe("scanPage of a store that ends pages early", () => {
  it("goes on after what was read, whatever of it was of the list (DB-42)", async () => {
    const read: (number | undefined)[] = [];
    const page = await scanPage<number, number, number>({
      ...{ size: 2, after: undefined },
      read: async (after) => {
        read.push(after);
        if (after === undefined) return { rows: [], part: { last: 400, scanned: 400 } };
        if (after === 400) return { rows: [7], part: { last: 800, scanned: 400 } };
        return { rows: [], part: { last: 12_000, scanned: MOST_SCANNED } };
      },
      itemOf: (row) => row,
      positionOf: (row) => row,
    });
    assert.deepEqual(read, [undefined, 400, 800]);
    assert.deepEqual(page, { items: [7], next: 12_000 });
  });
});

describe("parseOrderBy", () => {
  const parse = (text: string) => parseOrderBy(text, ["name", "create_time"], ["create_time"]);

  it("reads keys and directions", () => {
    assert.deepEqual(parse(" name desc , createTime asc"), [
      { path: "name", descending: true },
      { path: "create_time", descending: false },
    ]);
    assert.deepEqual(parse("create_time"), [{ path: "create_time", descending: true }]);
    assert.deepEqual(parse("  "), []);
  });

  it("quotes the name that was sent", () => {
    assert.throws(() => parse("CREATE_TIME"), /Ordering by 'CREATE_TIME' is not supported; use name, create_time\./);
  });

  for (const wrong of ["colour", "name down", "name,,create_time", "name, name", "name;"]) {
    it(`rejects '${wrong}'`, () => assert.throws(() => parse(wrong), isInvalidArgument));
  }
});
