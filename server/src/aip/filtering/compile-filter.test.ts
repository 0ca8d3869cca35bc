import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { App_ToolExecutionMode, AppSchema } from "@frontdesk/protos/ces/app";
import { ChangelogSchema } from "@frontdesk/protos/ces/changelog";
import { Code, ConnectError } from "#status";
import { compileFilter } from "./compile-filter.ts";
import type { FunctionCall } from "./syntax.ts";

const app: MessageInitShape<typeof AppSchema> = {
  name: "projects/p/locations/l/apps/garden",
  displayName: "Garden Shop",
  pinned: true,
  toolExecutionMode: App_ToolExecutionMode.SEQUENTIAL,
  metadata: { owner: "mia", "scm.mode": "x" },
  guardrails: ["projects/p/locations/l/apps/garden/guardrails/prompt-one"],
  deploymentCount: 3,
  createTime: timestampFromDate(new Date("2026-03-01T12:00:00.500Z")),
  audioProcessingConfig: { inactivityTimeout: { seconds: 15n, nanos: 0 }, ambientSoundConfig: { volumeGainDb: -6.5 } },
  variableDeclarations: [
    { name: "plan", description: "Tariff" },
    { name: "zip", description: "Postal code" },
  ],
};

function matches(filter: string, message = app): boolean {
  return compileFilter(AppSchema, filter)?.(create(AppSchema, message)) ?? true;
}

/** Comparisons with several values at once: `arg : composite` of AIP-160. */
const COMPOSITE_MATCHES = [
  'display_name = ("Other" OR "Garden Shop")',
  'display_name = ("Garden Shop")',
  "tool_execution_mode = (PARALLEL OR SEQUENTIAL)",
  "tool_execution_mode = (NOT PARALLEL)",
  "tool_execution_mode = (-PARALLEL AND SEQUENTIAL)",
  "NOT tool_execution_mode = (PARALLEL OR TOOL_EXECUTION_MODE_UNSPECIFIED)",
  // != is the opposite of =: neither value.
  "tool_execution_mode != (PARALLEL OR TOOL_EXECUTION_MODE_UNSPECIFIED)",
  'description != ("x" OR "y")',
  "deployment_count > (1 AND 2)",
  "deployment_count > (1 AND NOT 5)",
  "deployment_count = (-3 OR 3)",
  "deployment_count > (-1)",
  "audio_processing_config.ambient_sound_config.volume_gain_db = (-6.5 OR 0)",
  "audio_processing_config.inactivity_timeout = (1s OR 15s)",
  "create_time > (2026-02-28T00:00:00Z AND 2026-03-01T12:00:00Z)",
  "display_name:(garden AND shop)",
  "display_name:(garden shop)",
  "display_name:(desert OR shop)",
  "display_name:(garden AND NOT desert)",
  'display_name = (NOT "Gar*y" AND "Gar*")',
  "display_name:(garden AND (desert OR (lamp OR shop)))",
  "guardrails:(prompt-one AND NOT prompt-two)",
  "guardrails:(prompt-two OR prompt-one)",
  "variable_declarations.name:(plan AND zip AND NOT country)",
  "metadata:(owner AND NOT nobody)",
  "metadata.owner:(* AND mia)",
  "metadata.owner = (tom OR mia) AND pinned = (true)",
  // OR binds tighter than AND in there, too.
  "NOT deployment_count = (4 AND 4 OR 3)",
  "display_name = (Garden*) OR pinned = false",
];
const COMPOSITE_MISSES = [
  'display_name = ("Other" OR "Another")',
  "tool_execution_mode = (NOT SEQUENTIAL)",
  "tool_execution_mode != (PARALLEL OR SEQUENTIAL)",
  "NOT tool_execution_mode = (PARALLEL OR SEQUENTIAL)",
  "deployment_count = (3 AND 4)",
  "deployment_count = (4 AND 4 OR 3)",
  "display_name:(garden AND desert)",
  "display_name:(garden AND NOT shop)",
  "guardrails:(prompt-one AND prompt-two)",
  "guardrails:(NOT prompt-one)",
  "metadata:(owner AND nobody)",
  "metadata.owner = (tom OR anna) OR pinned = (false)",
];

describe("compileFilter", () => {
  const yes = [
    "",
    'display_name = "Garden Shop"',
    "displayName = 'Garden Shop'",
    'display_name = "Gar*"',
    'display_name = "*Shop"',
    'display_name = "G*den*"',
    "display_name:shop",
    "display_name:*",
    'display_name != "Other"',
    'description != "x"',
    "pinned = true",
    "pinned:true",
    "NOT locked = true",
    "-locked:*",
    "tool_execution_mode = SEQUENTIAL",
    "tool_execution_mode != PARALLEL",
    "deployment_count = 3",
    "deployment_count > 2 deployment_count <= 3",
    "deployment_count >= 3 AND deployment_count < 4.5",
    "audio_processing_config.ambient_sound_config.volume_gain_db = -6.5",
    "audio_processing_config.ambient_sound_config.volume_gain_db < -6",
    "audio_processing_config.inactivity_timeout = 15s",
    "audio_processing_config.inactivity_timeout > 1.5s",
    "audio_processing_config.barge_in_config.barge_in_awareness = false OR pinned = true",
    'create_time > "2026-03-01T12:00:00Z"',
    "create_time <= 2026-03-01T12:00:00.500Z",
    "create_time < 2026-03-01T14:00:00.6+01:00",
    'create_time > "2026-02-28"',
    "create_time:*",
    "metadata.owner = mia",
    "metadata:owner",
    "metadata.owner:*",
    "NOT metadata:nobody",
    "guardrails:prompt-one",
    "guardrails:*",
    "variable_declarations.name:plan",
    "variable_declarations:*",
    "garden",
    '"Postal code"',
    "Garden AND -Desert",
    // OR binds tighter than AND: false AND (true OR true) would be false, (false AND true) OR true would be true.
    "NOT (pinned = false AND pinned = true OR pinned = true)",
    "pinned = true AND (display_name:nothing OR deployment_count = 3)",
    ...COMPOSITE_MATCHES,
  ];
  for (const filter of yes) it(`matches: ${filter || "(empty)"}`, () => assert.equal(matches(filter), true));

  const no = [
    'display_name = "garden shop"',
    'display_name = "Garden*Z"',
    "display_name:desert",
    "description:*",
    "NOT pinned = true",
    "tool_execution_mode = PARALLEL",
    "deployment_count > 3",
    "metadata:plan",
    "metadata.plan = x",
    "guardrails:prompt-two",
    "variable_declarations.name:country",
    "root_agent:*",
    "locked:*",
    'create_time > "2026-03-01T12:00:01Z"',
    "language_settings.default_language_code = en",
    "pinned = false AND pinned = true OR pinned = true",
    "garden desert",
    ...COMPOSITE_MISSES,
  ];
  for (const filter of no) it(`does not match: ${filter}`, () => assert.equal(matches(filter), false));

  const wrong: readonly [filter: string, description: string][] = [
    ["owner = mia", "The filter is wrong at character 1: App has no field 'owner'."],
    [
      "pinned = true AND display_name.x = 1",
      "The filter is wrong at character 19: 'display_name' has no fields, so 'x' cannot be found in it.",
    ],
    ['display_name = "open', "The filter is wrong at character 16: the quote is not closed."],
    ["(pinned = true", "The filter is wrong at character 15: ')' is missing at the end."],
    ["pinned =", "The filter is wrong at character 9: a value is missing at the end."],
    ["pinned = true)", "The filter is wrong at character 14: ')' is not expected here."],
    ["pinned = maybe", "The filter is wrong at character 10: 'maybe' is not true or false."],
    ["pinned > true", "The filter is wrong at character 10: true and false have no order; use = or !=."],
    ["deployment_count = many", "The filter is wrong at character 20: 'many' is not a number."],
    [
      "create_time > yesterday",
      `The filter is wrong at character 15: 'yesterday' is not a time like "2026-01-31T09:30:00Z".`,
    ],
    ...["2026-02-30T00:00:00Z", "2026-02-29", "2026-06-31T10:00:00+02:00", "2026-01-01T24:00:00Z"].map(
      (time): [string, string] => [
        `create_time < "${time}"`,
        `The filter is wrong at character 15: '${time}' is not a time: its day or hour does not exist.`,
      ],
    ),
    [
      'create_time < "2026-01-01T00:00:00.0000000001Z"',
      `The filter is wrong at character 15: '2026-01-01T00:00:00.0000000001Z' is not a time like "2026-01-31T09:30:00Z".`,
    ],
    [
      "guardrails = x",
      "The filter is wrong at character 1: 'guardrails' is a list; use ':' to ask whether it has a value.",
    ],
    [
      "metadata = x",
      "The filter is wrong at character 1: 'metadata' is a map; use 'metadata:key' or 'metadata.key = value'.",
    ],
    [
      "logging_settings = x",
      "The filter is wrong at character 20: 'logging_settings' can only be tested for presence, with 'logging_settings:*'.",
    ],
    [
      "tool_execution_mode = FAST",
      "The filter is wrong at character 23: 'FAST' is not one of TOOL_EXECUTION_MODE_UNSPECIFIED, PARALLEL, SEQUENTIAL.",
    ],
    ["search(1)", "The filter is wrong at character 1: there is no function 'search'."],
    ["pinned ! true", "The filter is wrong at character 8: '!' is not expected here."],
    ["pinned = true = false", "The filter is wrong at character 15: '=' is not expected here."],
    ["pinned = ()", "The filter is wrong at character 11: a value is missing before ')'."],
    ["pinned = (true OR)", "The filter is wrong at character 18: a value is missing before ')'."],
    ["pinned = (true OR OR false)", "The filter is wrong at character 19: a value is missing before 'OR'."],
    ["pinned = (true", "The filter is wrong at character 15: ')' is missing at the end."],
    ["pinned = (true OR maybe)", "The filter is wrong at character 19: 'maybe' is not true or false."],
    ["pinned = (true AND (false OR NOT maybe))", "The filter is wrong at character 34: 'maybe' is not true or false."],
    ["deployment_count != (3 OR many)", "The filter is wrong at character 27: 'many' is not a number."],
    ["locked:* AND owner = (mia OR tom)", "The filter is wrong at character 14: App has no field 'owner'."],
    [
      "guardrails = (x OR y)",
      "The filter is wrong at character 1: 'guardrails' is a list; use ':' to ask whether it has a value.",
    ],
    [
      "pinned = (locked = true)",
      "The filter is wrong at character 18: '=' is not expected here: the parentheses after a comparator hold values only.",
    ],
    [
      "display_name = (Garden OR upper(name))",
      "The filter is wrong at character 27: a value is expected here, not the function 'upper'.",
    ],
    [
      "display_name = upper(name)",
      "The filter is wrong at character 16: a value is expected here, not the function 'upper'.",
    ],
    [
      "search((a OR b))",
      "The filter is wrong at character 8: a function takes values, not an expression in parentheses.",
    ],
  ];
  for (const [filter, description] of wrong) {
    it(`rejects ${filter}`, () => {
      assert.throws(
        () => matches(filter),
        (error) =>
          error instanceof ConnectError &&
          error.code === Code.InvalidArgument &&
          error.rawMessage === `filter: ${description}`,
      );
    });
  }

  it("rejects deep nesting", () => {
    assert.throws(() => matches(`${"(".repeat(60)}pinned = true${")".repeat(60)}`), /nested too deeply/);
    assert.throws(() => matches(`pinned = ${"(".repeat(60)}true${")".repeat(60)}`), /nested too deeply/);
  });

  it("compares values in the JSON of a Struct", () => {
    const log = create(ChangelogSchema, { newResource: { displayName: "Root", turns: 4, nested: { on: true } } });
    const test = (filter: string) => compileFilter(ChangelogSchema, filter)?.(log);
    assert.deepEqual(
      [
        "new_resource.displayName:roo",
        "new_resource.turns > 3",
        "new_resource.nested.on = true",
        "new_resource.missing:*",
        "new_resource.turns = (3 OR 4)",
        "new_resource.displayName:(roo AND NOT leaf)",
      ].map(test),
      [true, true, true, false, true, true],
    );
  });

  it("accepts documented names that differ from the message's", () => {
    const log = create(ChangelogSchema, {
      resource: "projects/p/locations/l/apps/a/agents/my-agent",
      author: "me@example.com",
    });
    const test = compileFilter(ChangelogSchema, "resource_name:my-agent author:me@example.com", {
      aliases: { resource_name: "resource" },
    });
    assert.equal(test?.(log), true);
    const composite = compileFilter(ChangelogSchema, "resource_name:(my-agent AND NOT other)", {
      aliases: { resource_name: "resource" },
    });
    assert.equal(composite?.(log), true);
  });

  it("calls the functions of the method", () => {
    const seen: unknown[] = [];
    const test = compileFilter(AppSchema, 'ces_transcript.search("late \\"order\\"") AND pinned = true', {
      functions: {
        "ces_transcript.search": ({ args }) => {
          seen.push(args.map(({ text }) => text));
          return () => true;
        },
      },
    });
    assert.deepEqual([test?.(create(AppSchema, app)), seen], [true, [['late "order"']]]);
  });

  it("calls functions inside composite expressions", () => {
    const functions = {
      starts:
        ({ args }: FunctionCall) =>
        () =>
          args[0]?.text === "garden",
    };
    const test = (filter: string) => compileFilter(AppSchema, filter, { functions })?.(create(AppSchema, app));
    assert.deepEqual(
      [
        "(starts(shop) OR starts(garden))",
        "pinned = (true) AND (NOT starts(shop))",
        "-(starts(shop) OR pinned:true)",
      ].map(test),
      [true, true, false],
    );
  });
});

describe("the length of a filter (WIRE-24)", () => {
  it("is limited, so that parsing it takes no time that others would wait for", () => {
    for (const filter of ["(".repeat(10_001), `name="${"a".repeat(10_000)}"`, "a.".repeat(6_000)]) {
      assert.throws(
        () => matches(filter),
        (error: unknown) => error instanceof ConnectError && /characters; the limit is 10000/.test(error.message),
      );
    }
    assert.equal(matches(`display_name:("${"a".repeat(9_900)}" OR Garden)`), true);
  });
});

describe("a time in a filter", () => {
  const at = (nanos: number) => ({
    ...app,
    createTime: { ...timestampFromDate(new Date("2026-03-01T12:00:00Z")), nanos },
  });

  it("is compared to the nanosecond", () => {
    const exact = 'create_time = "2026-03-01T12:00:00.388468001Z"';
    assert.deepEqual([matches(exact, at(388_468_001)), matches(exact, at(388_468_000))], [true, false]);
    assert.equal(matches('create_time < "2026-03-01T12:00:00.388468001Z"', at(388_468_000)), true);
    assert.equal(matches('create_time > "2026-03-01T13:00:00.388468+01:00"', at(388_468_001)), true);
  });

  it("may be on the last day of February in a leap year", () => {
    assert.equal(matches('create_time > "2024-02-29T23:59:59Z"'), true);
  });
});
