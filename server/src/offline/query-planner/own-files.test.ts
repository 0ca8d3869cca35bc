import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "./__fixtures__/asked-tables.ts";
import { modelOfTables } from "./__fixtures__/model-of-tables.ts";
import { createSqlRulePlanner } from "./sql-rule-planner.ts";

const NOW = new Date("2026-06-15T00:00:00Z");

type Rows = readonly (readonly string[])[];

/** Files as people have them, with questions that are answered, with what is told beside, and those that are refused. */
const SETS: readonly {
  readonly files: Readonly<Record<string, string>>;
  readonly answered: readonly (readonly [question: string, rows: Rows, doubts?: RegExp])[];
  readonly refused: readonly (readonly [question: string, why: RegExp])[];
}[] = [
  {
    files: {
      counters:
        "counter_id;site name;installed on\nZ1;Harbour;2019-03-12\nZ2;Station;2018-07-01\nZ3;Mill;2021-09-15\n".replaceAll(
          ";",
          ",",
        ),
      counts: `counter,day,cyclists,inbound,temperature (°C),rain mm,status
Z1,2025-06-02,100,40,20.5,0,ok
Z2,2025-06-02,300,150,21.5,12,ok
Z3,2025-06-02,50,10,19,12,fault
Z1,2025-06-06,120,60,30,0,ok
Z2,2025-07-05,280,140,25,11,ok
Z3,2026-01-05,90,45,-4,3,fault
Z1,2026-01-05,70,35,-3,0,ok
Z2,2026-01-09,60,20,2,0,ok
`,
    },
    answered: [
      // a key by the name of the table (CA-36), and the number of a row (CA-115)
      ["how many cyclists were counted in 2025?", [["850"]], /read as their total; say “how many different cyclists”/],
      [
        "cyclists by site name",
        [
          ["Station", "640"],
          ["Harbour", "290"],
          ["Mill", "140"],
        ],
        /joined by counter/,
      ],
      ["how many days had more than 10 mm of rain?", [["2"]]],
      ["days with more than 10 mm of rain", [["2025-06-02"], ["2025-07-05"]], /of single rows of counts/],
      ["what share of cyclists is inbound?", [["46.73"]], /no mean of single rows/],
      // the first of each time (CA-116)
      [
        "top 2 sites by cyclists in 2025 and 2026",
        [
          ["2025-01-01", "Station", "580"],
          ["2025-01-01", "Harbour", "220"],
          ["2026-01-01", "Mill", "90"],
          ["2026-01-01", "Harbour", "70"],
        ],
      ],
      [
        "site with the most cyclists each year",
        [
          ["2025-01-01", "Station", "580"],
          ["2026-01-01", "Mill", "90"],
        ],
      ],
      // superlatives of times and things (CA-117)
      ["hottest day", [["2025-06-06", "30"]], /by the highest temperature c of counts/],
      ["coldest month", [["2026-01-01", String(-5 / 3)]], /by the mean temperature c of counts/],
      ["rainiest day", [["2025-06-02", "24"]], /rain mm is added up/],
      ["which day had the highest rain?", [["2025-06-02", "24"]], /rain mm is added up/],
      ["which day had the most cyclists?", [["2025-06-02", "450"]]],
      ["newest counter", [["Z3", "2021-09-15"]]],
      [
        "sites with no faults",
        [
          ["Harbour", "3"],
          ["Station", "3"],
        ],
        /also where another is/,
      ],
      ["temperature range", [["-4", "30"]]],
      [
        "range of cyclists by status",
        [
          ["ok", "60", "300"],
          ["fault", "50", "90"],
        ],
      ],
      [
        "cyclists on mondays vs fridays",
        [
          ["Monday", "610"],
          ["Friday", "180"],
        ],
      ],
      [
        "counters with cyclists over 200",
        [["Z2", "Station", "2018-07-01"]],
        /single rows of counts, and not of the total of each of counters/,
      ],
      [
        "counters with a total cyclists over 200",
        [
          ["Z2", "640"],
          ["Z1", "290"],
        ],
      ],
    ],
    refused: [
      ["top 2 sites by cyclists in the first half of 2025 and the first half of 2026", /I rank over one time/],
      ["days without data for Harbour", /“data”/],
      ["windiest day", /windiest/],
    ],
  },
  {
    files: {
      appointments: `appointment_no,patient,birth_date,booked_at,outcome,fee
1,Ann,1950-05-05,2026-05-01 08:00,attended,10
2,Ann,1950-05-05,2026-05-02 08:00,no-show,30
3,Bo,1990-05-05,2026-05-03 08:00,no-show,50
4,Cy,2000-05-05,2026-05-04 08:00,cancelled,50
`,
      batches: `batch,beer,brewed,packaged,due,og
B1,Stout,2026-01-01,2026-01-20,2026-01-25,1.075
B2,Stout,2026-02-01,2026-03-20,2026-02-25,1.0625
B3,Lager,2026-03-01,,2026-03-25,1.05
`,
    },
    answered: [
      ["oldest patient", [["Ann", "1950-05-05"]], /the one with the first birth date/],
      ["youngest patient", [["Cy", "2000-05-05"]], /the one with the last birth date/],
      [
        "oldest appointment",
        [
          ["1", "1950-05-05"],
          ["2", "1950-05-05"],
        ],
        /The birth date was compared; appointments also have booked at/,
      ],
      ["no-show rate", [["50"]]],
      ["how many batches were late?", [["1"]], /packaged compared with due/],
      [
        "on time rate by beer",
        [
          ["Stout", "50"],
          ["Lager", "null"],
        ],
        /neither late nor on time/,
      ],
      ["patients not attended", [["Ann"], ["Bo"], ["Cy"]], /Each patient with some row that is not attended/],
    ],
    refused: [
      ["patients who had every outcome", /I can find each patient with some outcome, but not those with every outcome/],
      [
        "patients who never attended",
        /A patient may have several rows, .*“number of appointments with outcome attended by patient”/,
      ],
    ],
  },
];

describe("questions to files of people's own (CA-115 to CA-117)", () => {
  for (const { files, answered, refused } of SETS) {
    const tables = askedTables(files, NOW);

    for (const [question, expected, doubts] of answered) {
      it(`answers “${question}”`, async () => {
        const { rows, warnings } = await tables.answer(question);
        assert.deepEqual(rows, expected);
        if (doubts) assert.match(warnings.join("\n"), doubts);
      });
    }
    for (const [question, why] of refused) {
      it(`refuses “${question}”`, () => {
        assert.match(tables.refusal(question), why);
      });
    }
  }
});

describe("a word that asks for a forecast (CA-115)", () => {
  it("is the name of a column where the data has one", async () => {
    const { model, close } = await modelOfTables({
      works: "project,month,spent\nDam,2026-01-01,5\nLock,2026-02-01,7\n",
    });
    const plan = (question: string) => {
      const { signal } = new AbortController();
      const request = { question, past: [], model, examples: [], analysisAllowed: false, now: NOW, signal };
      return createSqlRulePlanner().plan(request, []);
    };
    assert.equal((await plan("spent by project")).kind, "query");
    assert.match(JSON.stringify(await plan("project spent for the next 3 months")), /needs an analysis/);
    await close();
  });
});
