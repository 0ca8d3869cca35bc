import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { diffLines } from "../../../console/src/components/diff-lines.ts";
import { checkInstruction } from "../../../console/src/features/code-editor/instruction/check-instruction.ts";
import { changedMembers } from "../../../console/src/features/editing/members.ts";
import { parseImportWarning } from "../../../console/src/features/packages/import-warning.ts";
import { parseValidationError } from "../../../console/src/features/resources/validation-error.ts";
import { comparedParts } from "../../../console/src/features/versions/text-parts.ts";

describe("what the console makes of the server's sentences", () => {
  it("finds field, line and column of a validation error", () => {
    assert.deepEqual(parseValidationError("before_model_callbacks[0]: line 3, column 5: does not load."), {
      subject: "",
      path: "before_model_callbacks[0]",
      line: 3,
      column: 5,
      text: "does not load.",
    });
    assert.deepEqual(parseValidationError("Tool 'look_up', python_function: line 1, column 1: no function."), {
      subject: "Tool 'look_up'",
      path: "python_function",
      line: 1,
      column: 1,
      text: "no function.",
    });
  });

  it("leaves a sentence unchanged that it cannot parse", () => {
    const text = "root_agent is not set, so no conversation can start; create an agent and name it there.";
    assert.deepEqual(parseValidationError(text), { subject: "", path: "", line: 0, column: 0, text });
  });

  it("finds file, line and field of an import's warning", () => {
    assert.deepEqual(
      parseImportWarning("tools/look/code.py:2:7: SyntaxError: '(' was never closed (pythonFunction.pythonCode)."),
      {
        file: "tools/look/code.py",
        line: 2,
        field: "SyntaxError",
        text: "'(' was never closed (pythonFunction.pythonCode).",
      },
    );
    assert.deepEqual(parseImportWarning("toolsets/mcp/mcp.json: displayName: is missing; 'mcp' was used."), {
      file: "toolsets/mcp/mcp.json",
      line: 0,
      field: "displayName",
      text: "is missing; 'mcp' was used.",
    });
    const whole = "The package has no top-level folder: its files were read from the root of the archive.";
    assert.deepEqual(parseImportWarning(whole), { file: "", line: 0, field: "", text: whole });
  });

  it("places names of an instruction that the app does not have", () => {
    const named = (name: string) => [{ name, description: "" }];
    const names = { agents: named("Root"), tools: named("look"), variables: named("city") };
    const text = "Hand over to {@AGENT: Root} in {city}.\nCall {@TOOL: look}, then {@TOOL: gone} for {town}.";
    assert.deepEqual(
      checkInstruction(text, names).map(({ line, column, text: message }) => [line, column, message]),
      [
        [2, 26, "This app has no tool named “gone”."],
        [2, 44, "Variable “town” is not declared in this app, so the text is not replaced."],
      ],
    );
  });

  it("compares a document in JSON line by line, however it was written", () => {
    const toolset = (title: string) => {
      const openApiSchema = JSON.stringify({
        openapi: "3.0.3",
        info: { title, version: "1" },
        paths: {},
        x: "-".repeat(200),
      });
      return create(ToolsetSchema, { toolsetType: { case: "openApiToolset", value: { openApiSchema } } });
    };
    const member = changedMembers(ToolsetSchema, toolset("Old"), toolset("New"))[0];
    assert.ok(member);
    const [part, ...others] = comparedParts(ToolsetSchema, member, toolset("Old"), toolset("New"));
    assert.deepEqual(others, []);
    const lines = diffLines(part?.before ?? "", part?.after ?? "").filter(
      ({ kind }) => kind !== "same" && kind !== "gap",
    );
    assert.deepEqual(
      lines.map(({ kind, text }) => [kind, text]),
      [
        ["removed", '    "title": "Old",'],
        ["added", '    "title": "New",'],
      ],
    );
  });
});
