import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "#testing";
import { finished, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const HEADER = "display_name,turn_index,action_type,text_content,response_agent";

/** A golden of one turn. */
const golden = (name: string, text: string) =>
  `${name},,,,\n,1,INPUT_TEXT,${text},\n,1,EXPECTATION_TEXT,Hello.,Front desk\n`;

async function importing() {
  const server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  return {
    rest,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    /** Imports a file, and returns the response or error of the operation. */
    read: async (content: string | Uint8Array, conflictResolutionStrategy?: string) => {
      const csvContent = Buffer.from(content).toString("base64");
      const importOptions = { conflictResolutionStrategy };
      const operation = await finished(
        rest,
        await rest("POST", `${APP}:importEvaluations`, { csvContent, importOptions }),
      );
      return operation.response ?? operation.error;
    },
  };
}

interface Imported {
  readonly displayName: string;
  readonly golden: {
    readonly turns: readonly { readonly steps: readonly { readonly userInput?: { text: string } }[] }[];
  };
}

/** What the users of imported goldens say, by display name. */
function textsOf({ evaluations = [] }: { readonly evaluations?: readonly Imported[] }) {
  return evaluations.map(({ displayName, golden: { turns } }) => [
    displayName,
    ...turns.flatMap(({ steps }) => steps.flatMap(({ userInput }) => userInput?.text ?? [])),
  ]);
}

test("a table is read as spreadsheets save it: with semicolons or tabs, in UTF-16, with the name in each row (EVAL-100)", async () => {
  await using imports = await importing();
  const csv = (name: string) => `${HEADER}\n${golden(name, "Grüße; bitte")}`;
  const separated = (name: string, separator: string) =>
    `${HEADER}\n${golden(name, '"Grüße; bitte"')}`.replaceAll(",", separator);
  const utf16 = (text: string, mark: number) => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return mark === 0xff ? bytes : bytes.swap16();
  };

  const read = [
    await imports.read(separated("Semicolons", ";")),
    await imports.read(separated("Tabs", "\t")),
    await imports.read(utf16(separated("UTF-16", "\t"), 0xff)),
    await imports.read(
      utf16(csv("UTF-16, the other way").replace("UTF-16, the", '"UTF-16, the').replace("way,", 'way",'), 0xfe),
    ),
    await imports.read(
      `${HEADER}\nEach row,1,INPUT_TEXT,Grüße; bitte,\nEach row,1,EXPECTATION_TEXT,Hello.,Front desk\nEach row,2,INPUT_TEXT,Bye,\n`,
    ),
  ];

  assert.deepEqual(
    read.map((response) => [response.errorMessages ?? [], textsOf(response)]),
    [
      [[], [["Semicolons", "Grüße; bitte"]]],
      [[], [["Tabs", "Grüße; bitte"]]],
      [[], [["UTF-16", "Grüße; bitte"]]],
      [[], [["UTF-16, the other way", "Grüße; bitte"]]],
      [[], [["Each row", "Grüße; bitte", "Bye"]]],
    ],
  );
});

test("a cell that would be lost is told, and its golden is not imported (EVAL-101)", async () => {
  await using imports = await importing();
  const { read } = imports;

  const more = await read(
    `${HEADER}\nMore,,,,\n,1,EXPECTATION_TEXT,Hello.,Front desk, I am Ada,,\n${golden("After it", "Hi")}`,
  );
  const elsewhere = await read(`${HEADER}\nElsewhere,,,,\n,1,INPUT_TEXT,Hello, I am Ada\n`);
  const empty = await read(`${HEADER}\nEmpty ones,,,,,,,\n,1,INPUT_TEXT,Hello,,,,,\n`);
  const twice = await read(`${HEADER},text_content\nTwice,,,,\n,1,INPUT_TEXT,one,,two\n`);
  const nothing = await read(`${HEADER}\n`);

  assert.deepEqual(textsOf(more), [["After it", "Hi"]]);
  assert.match(more.errorMessages.join("\n"), /^line 3: the row has a 6th cell, 'I am Ada', .*quotation marks/);
  assert.deepEqual(elsewhere.errorMessages, [
    "line 3: INPUT_TEXT does not read response_agent; 'I am Ada' was ignored.",
  ]);
  assert.deepEqual([empty.errorMessages ?? [], textsOf(empty)], [[], [["Empty ones", "Hello"]]]);
  assert.match(twice.message, /csv_content: The header has the column text_content twice/);
  assert.match(nothing.errorMessages.join("\n"), /line 1: no row follows the header/);
});

test("what is no table says what it is, and what it must be (EVAL-100)", async () => {
  await using imports = await importing();
  const { read } = imports;
  const latin1 = Buffer.from(`${HEADER}\n${golden("Windows", "Grüße")}`, "latin1");
  const yaml =
    "# exported today\n---\nevaluations:\n- displayName: From YAML\n  golden: {turns: [{steps: [{userInput: {text: Hi}}]}]}\n";

  assert.match(
    (await read(latin1)).message,
    /csv_content: is not text in UTF-8: line 3 has other bytes\. Save the file as "CSV UTF-8"/,
  );
  assert.match((await read("[]")).message, /csv_content: must be an object with the lists evaluations/);
  assert.match(
    (await read("Name;Turn\na;1\n")).message,
    /The header has no column display_name, .* it has 'Name', 'Turn'\./,
  );
  assert.deepEqual(textsOf(await read(yaml)), [["From YAML", "Hi"]]);
});

test("merge keys of YAML count, as in packages and test files (EVAL-114)", async () => {
  await using imports = await importing();
  const yaml = `_hello: &hello {turns: [{steps: [{userInput: {text: Hi}}]}]}
evaluations:
- &first {displayName: First, tags: [smoke], golden: *hello}
- {<<: *first, displayName: Second}
`;
  const response = await imports.read(yaml);
  assert.deepEqual(response.errorMessages ?? [], []);
  assert.deepEqual(textsOf(response), [
    ["First", "Hi"],
    ["Second", "Hi"],
  ]);
  assert.deepEqual(response.evaluations[1].tags, ["smoke"]);
});

test("an export replaces the evaluations it was made of, whatever was changed since (EVAL-102)", async () => {
  await using imports = await importing();
  const { rest, read } = imports;
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  const names = evaluations.map(({ name }: { name: string }) => name);
  const request = { names, includeEvaluations: true };
  const exported = await finished(rest, await rest("POST", `${APP}/evaluations:export`, request));
  const content = Buffer.from(exported.response.evaluationsContent, "base64").toString();
  await rest("PATCH", `${names[0]}?updateMask=description`, { description: "changed since" });

  const replaced = await read(content, "OVERWRITE");

  assert.deepEqual([replaced.errorMessages ?? [], replaced.evaluations.length], [[], names.length]);
  assert.equal((await rest("GET", names[0])).description, evaluations[0].description);
});

test("two evaluations of one name in a file: the second is told and replaces nothing (EVAL-102)", async () => {
  await using imports = await importing();
  const { rest, read } = imports;
  const csv = `${HEADER}\n${golden("Same", "one")}${golden("Same", "two")}`;

  for (const strategy of [undefined, "OVERWRITE"]) {
    const response = await read(csv, strategy);
    assert.deepEqual(textsOf(response), [["Same", "one"]]);
    assert.equal(response.importFailureCount, 1);
    assert.match(response.errorMessages.join("\n"), /line 5: .*'Same' is twice in the file/);
    await rest("DELETE", response.evaluations[0].name);
  }
  assert.deepEqual(textsOf(await read(csv, "DUPLICATE")), [
    ["Same", "one"],
    ["Same (2)", "two"],
  ]);
  const refused = await read(csv);
  assert.match(refused.errorMessages[0], /line 2: .*'Same' \(.*\) exists/);
});
