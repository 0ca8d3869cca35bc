import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readTimeZoneRules } from "./python-source.ts";
import { compileTimeZones } from "./time-zones.ts";

const files = compileTimeZones(await readTimeZoneRules());

describe("compileTimeZones", () => {
  it("writes the rule for the time to come as POSIX does", () => {
    const footers: Record<string, string> = {
      "Europe/Berlin": "CET-1CEST,M3.5.0/2,M10.5.0/3",
      "Europe/Dublin": "IST-1GMT0,M10.5.0/2,M3.5.0/1",
      "America/New_York": "EST5EDT,M3.2.0/2,M11.1.0/2",
      "America/Santiago": "<-04>4<-03>,M9.1.6/24,M4.1.6/24",
      "America/Nuuk": "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
      "Asia/Jerusalem": "IST-2IDT,M3.4.4/26,M10.5.0/2",
      "Asia/Kolkata": "IST-5:30",
      "Australia/Lord_Howe": "<+1030>-10:30<+11>-11,M10.1.0/2,M4.1.0/2",
    };
    const found = Object.fromEntries(Object.keys(footers).map((name) => [name, footerOf(name)]));
    assert.deepEqual(found, footers);
  });

  it("writes the history", () => {
    assert.equal(offsetAt("Europe/Berlin", "1916-06-01"), 7200);
    assert.equal(offsetAt("Europe/Berlin", "1945-06-01"), 10_800);
    assert.equal(offsetAt("Europe/Moscow", "2012-01-01"), 14_400);
    assert.equal(offsetAt("Europe/Bucharest", "1994-07-01"), 10_800);
    assert.equal(offsetAt("America/Argentina/Jujuy", "1992-06-01"), -10_800);
    assert.equal(offsetAt("Pacific/Kiritimati", "1994-12-31T09:59:59Z"), -36_000);
    assert.equal(offsetAt("Pacific/Kiritimati", "1995-01-02"), 50_400);
  });

  it("gives links the file of their zone", () => {
    assert.deepEqual(files.get("US/Eastern"), files.get("America/New_York"));
    assert.ok(files.size > 590);
  });
});

function fileOf(name: string): Buffer {
  return Buffer.from(files.get(name) ?? []);
}

function footerOf(name: string): string | undefined {
  return fileOf(name).toString("latin1").split("\n").at(-2);
}

/** Reads the offset in force at an instant from the version 2 block. */
function offsetAt(name: string, instant: string): number {
  const file = fileOf(name);
  const start = 44 + 7 + 44; // two headers with the empty first block between them
  const count = file.readUInt32BE(start - 44 + 32);
  let type = 0;
  for (let index = 0; index < count; index++) {
    if (Number(file.readBigInt64BE(start + index * 8)) * 1000 <= Date.parse(instant)) {
      type = file.readUInt8(start + count * 8 + index);
    }
  }
  return file.readInt32BE(start + count * 9 + type * 6);
}
