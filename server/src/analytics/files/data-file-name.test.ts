import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemIds } from "#base";
import { Code } from "#status";
import { checkFileName, fileOfTable, newFileName } from "./data-file-name.ts";

const LOCATION = "projects/local/locations/us";

describe("the name of a data file (CA-45)", () => {
  it("has an id that nobody chooses, and is the file of its tables", () => {
    const name = newFileName(LOCATION, systemIds);
    assert.match(name, /^projects\/local\/locations\/us\/dataFiles\/upload_[0-9a-f]{32}$/);
    assert.equal(fileOfTable(LOCATION, name.slice(name.lastIndexOf("/") + 1)), name);
    assert.equal(fileOfTable(LOCATION, "sales"), undefined);
  });

  it("is below one location, and names one file", () => {
    const invalid = { code: Code.InvalidArgument };
    for (const parent of ["projects/local/locations/-", "projects/local", ""])
      assert.throws(() => newFileName(parent, systemIds), invalid, parent);
    for (const name of [`${LOCATION}/dataFiles/-`, LOCATION, "upload_1"])
      assert.throws(() => checkFileName(name, "name"), invalid, name);
    checkFileName(`${LOCATION}/dataFiles/upload_1`, "name");
  });
});
