import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "./__fixtures__/asked-tables.ts";

const NOW = new Date("2026-07-01T00:00:00Z");

type Rows = readonly (readonly string[])[];
/** A question, its rows, and what its doubts say. */
type Asked = readonly [question: string, rows: Rows, doubts?: RegExp];

/** Tables with questions that are answered, and those that are refused. */
const SETS: readonly {
  readonly files: Readonly<Record<string, string>>;
  readonly answered: readonly Asked[];
  readonly refused: readonly (readonly [question: string, why: RegExp])[];
}[] = [
  {
    files: {
      wards: "ward_id,ward_name\n1,North\n2,South\n",
      stays: "stay_id,ward_id,began_on,cost\n1,1,2026-05-01,10\n2,1,2026-05-02,30\n3,2,2026-05-03,50\n",
    },
    // ranked, and of each (CA-104)
    answered: [
      [
        "rank wards by average cost",
        [
          ["South", "50"],
          ["North", "20"],
        ],
      ],
      [
        "rank the wards by number of stays",
        [
          ["North", "2"],
          ["South", "1"],
        ],
      ],
      [
        "wards by total cost",
        [
          ["South", "50"],
          ["North", "40"],
        ],
        /cost of each of wards/,
      ],
      [
        "wards by number of stays",
        [
          ["North", "2"],
          ["South", "1"],
        ],
      ],
      [
        "highest and lowest cost by ward",
        [
          ["South", "50", "50"],
          ["North", "30", "10"],
        ],
      ],
      ["what is the lowest and highest cost", [["10", "50"]]],
      ["average cost", [["30"]]],
      [
        "how many stays, and what was the total cost by ward",
        [
          ["North", "2", "40"],
          ["South", "1", "50"],
        ],
      ],
      ["did costs go up in May 2026", [["2026-05-01", "90", "null"]]],
    ],
    refused: [
      ["highest and lowest paid ward", /paid|minimum|maximum/],
      // a bound and a word of nothing that is asked (CA-109)
      ["average cost of wards over 65", /which column “> 65” is about|nothing of “> 65”/],
      ["wards with the same cost", /“same”/],
      ["top 2 wards by cost in the last 3 days and the 3 days before", /I do not know what “3” is about/],
    ],
  },
  {
    files: {
      patients: "patient_id,patient_name,sex,date_of_birth\n1,Ann,F,1950-05-05\n2,Bo,M,1990-05-05\n3,Cy,F,2000-05-05\n",
      visits: "visit_id,patient_id,seen_on,cost\n1,1,2026-05-01,10\n2,2,2026-05-02,30\n3,3,2026-05-03,50\n",
    },
    // ages (CA-109)
    answered: [
      ["how many patients over 65", [["1"]]],
      ["how many women under 40", [["1"]]],
      ["how many patients between 20 and 40", [["2"]]],
      ["average cost of patients over 65", [["10"]]],
    ],
    refused: [["how many patients over 500", /> 500/]],
  },
  {
    files: {
      marks:
        "pupil,subject,mark,absences,resit\nAnn,Math,12,1,true\nAnn,Art,8,4,false\nBo,Math,6,0,false\nBo,Art,10,9,false\n",
    },
    answered: [
      [
        "average mark of pupils with more than 3 absences",
        [
          ["Bo", "10"],
          ["Ann", "8"],
        ],
        /of single rows of marks, and not of the total of each pupil/,
      ],
      ["pupils with absences over 3", [["Ann"], ["Bo"]], /single rows/],
      ["pupils with more than 3 absences", [["Ann"], ["Bo"]], /single rows/],
    ],
    refused: [["pupils without resits", /may have several rows.*“resit rate by pupil”/]],
  },
  {
    files: {
      ledger:
        "entry,posted,account,account_type,amount,approved_by\n1,2026-01-01,Rent,Expense,-5,Kim\n2,2026-01-01,Sales,Income,20,Lee\n3,2026-01-02,Sales,Income,30,Kim\n",
    },
    // rows of the only table (CA-105)
    answered: [
      [
        "how many entries by account",
        [
          ["Sales", "2"],
          ["Rent", "1"],
        ],
      ],
      [
        "entries by account",
        [
          ["Sales", "2"],
          ["Rent", "1"],
        ],
      ],
      ["accounts with more than 1 entry", [["Sales", "2"]]],
      ["how many records", [["3"]]],
      ["entry 2", [["2", "2026-01-01", "Sales", "Income", "20", "Lee"]]],
    ],
    refused: [
      ["entries over 2", /which column “> 2” is about/],
      ["average entry", /only identifies rows/],
      // words that choose (CA-107)
      ["income minus expense by month", /minus/],
    ],
  },
  {
    files: {
      sensors:
        "read_at,sensor,site,temperature_c,co2_ppm,battery_v,satisfaction,subject\n2026-05-01 08:00,S-1,Oslo,-4,400,3.1,2,Math\n2026-05-01 09:00,S-1,Oslo,8,600,2.9,4,Math\n2026-05-02 08:00,S-2,Bergen,10,800,3.5,5,Art\n",
    },
    // means of what instruments and scales say (CA-106)
    answered: [
      [
        "temperature by site",
        [
          ["Bergen", "10"],
          ["Oslo", "2"],
        ],
      ],
      [
        "co2 by site",
        [
          ["Bergen", "800"],
          ["Oslo", "500"],
        ],
        /averaged/,
      ],
      [
        "satisfaction by site",
        [
          ["Bergen", "5"],
          ["Oslo", "3"],
        ],
        /averaged/,
      ],
      ["how many readings with a battery below 3 volts", [["1"]]],
      ["how many readings above 9 celsius", [["1"]]],
      [
        "readings by site",
        [
          ["Oslo", "2"],
          ["Bergen", "1"],
        ],
      ],
    ],
    refused: [
      ["total temperature", /cannot be added up/],
      ["sensors who failed Math", /failed/],
    ],
  },
  {
    files: {
      orders:
        "order_id,status,ordered_on,promised_on,delivered_on\n1,delivered,2026-01-01,2026-01-05,2026-01-04\n2,delivered,2026-01-01,2026-01-05,2026-01-14\n3,open,2026-01-01,2026-01-05,\n4,delivered,2026-01-01,2026-01-05,2026-01-07\n",
      employees: "employee_id,full_name,salary\n1,Ada,90000\n2,Ben,70000\n",
      accounts: "holder,snapshot_on,balance\nAnn,2026-01-31,100\nAnn,2026-02-28,120\n",
    },
    // wholes that are not named, and states of several times (CA-113)
    answered: [
      ["percentage delivered late", [["50"]], /The whole is all orders/],
      // a delay of what was due and done (CA-98)
      ["how many orders were delivered more than 5 days late", [["1"]], /“delay” is read as days from promised on to/],
      ["how many orders were late by at least 2 days", [["2"]], /less than none where it is early/],
      ["total balance", [["220"]], /at several times \(snapshot on\), it counts once for each/],
      ["highest balance", [["120"]]],
      ["average salary of employees over 80000", [["90000"]]],
    ],
    refused: [["average salary of employees under 30", /which column “< 30” is about/]],
  },
];

for (const { files, answered, refused } of SETS)
  describe(`questions to ${Object.keys(files).join(" and ")} (CA-104 to CA-107)`, () => {
    const tables = askedTables(files, NOW);

    for (const [question, rows, doubts] of answered)
      it(`answers “${question}”`, async () => {
        const answer = await tables.answer(question);
        assert.deepEqual(answer.rows, rows);
        if (doubts) assert.match(answer.warnings.join(" "), doubts);
      });

    for (const [question, why] of refused)
      it(`refuses “${question}”`, () => {
        assert.match(tables.refusal(question), why);
      });
  });
