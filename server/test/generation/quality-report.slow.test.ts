// Quality reports of a run: by rules where there is no model, by cause where there is one.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { finished, generated } from "./generate.ts";
import { WritingModel } from "./writing-model.ts";

const DESK = "projects/local/locations/us/apps/order-desk";

/** A golden of one turn that fails in its tool call. */
const FAILING = {
  displayName: "Hours on Monday",
  golden: {
    turns: [
      {
        steps: [
          { userInput: { text: "When are you open on Friday?" } },
          { expectation: { toolCall: { tool: `${DESK}/tools/get_shop_hours`, args: { day: "monday" } } } },
        ],
      },
    ],
  },
};

for (const withModel of [false, true]) {
  describe(`a quality report ${withModel ? "with" : "without"} a language model`, () => {
    const model = new WritingModel();
    let server: TestServer;
    let run: string;
    const rest = restOf(() => server);
    before(async () => {
      server = await startTestServer({ example: true, ...(withModel && { model }) });
      const { tools } = await rest("GET", `${DESK}/tools`);
      const hours = tools.find(({ displayName }: { displayName: string }) => displayName === "get_shop_hours").name;
      const golden = JSON.parse(JSON.stringify(FAILING).replaceAll(`${DESK}/tools/get_shop_hours`, hours));
      await rest("POST", `${DESK}/evaluations?evaluationId=failing`, golden);
      const { evaluations } = await rest("GET", `${DESK}/evaluations`);
      const names = evaluations.map(({ name }: { name: string }) => name);
      const ended = await finished(server, await rest("POST", `${DESK}:runEvaluation`, { evaluations: names }));
      run = ended.response.evaluationRun;
    });
    after(() => server[Symbol.asyncDispose]());

    const report = (algorithm: string) =>
      generated(server, DESK, { qualityReportGenerationConfig: { evaluationRun: run, algorithm } });

    if (!withModel) {
      it("counts the failures by what failed, for the agent that answered", async () => {
        const { qualityReport, generateResultInfo } = await report("AGENT_CENTRIC");
        const { agents } = await rest("GET", `${DESK}/agents`);
        const front = agents.find(({ displayName }: { displayName: string }) => displayName === "Front desk");
        assert.deepEqual(qualityReport.evaluationRuns, [run]);
        const [{ agent, issues }] = qualityReport.issues;
        assert.equal(agent, front.name);
        assert.equal(issues[0].occurrenceCount, 1);
        assert.match(issues[0].description, /tool call get_shop_hours fails in 'Hours on Monday'/);
        assert.match(issues[0].proposedSolution, /Say in the agent's instruction when to call the tool/);
        assert.match(generateResultInfo.explanation, /No language model is configured/);
      });

      it("treats the app as one when it is asked to", async () => {
        const { qualityReport } = await report("APP_CENTRIC");
        assert.equal(qualityReport.issues, undefined);
        assert.match(qualityReport.generalIssues[0].description, /get_shop_hours/);
      });
    } else {
      const issue = { description: "The day is wrong.", proposed_solution: "Pass the day on." };

      it("has the issues of the model, counted by the failures that show them, and loses none", async () => {
        model.answers = [
          { explanation: "One cause.", issues: [{ ...issue, agent: "Front desk", failures: [1, 1, 99] }] },
        ];
        const { qualityReport, generateResultInfo } = await report("AGENT_CENTRIC");
        const issues = qualityReport.issues.flatMap((one: { issues: object[] }) => one.issues);
        assert.deepEqual([issues[0].description, issues[0].occurrenceCount], ["The day is wrong.", 1]);
        assert.ok(model.material.includes("Hours on Monday"));
        assert.match(generateResultInfo.explanation, /^One cause\.\n\n[\d]+ checks of 1 evaluations failed/);
        const { number } = JSON.parse(/<failures>\n([\s\S]*)\n<\/failures>/.exec(model.material)?.[1] ?? "[]").at(-1);
        const counted = issues.reduce(
          (sum: number, { occurrenceCount }: { occurrenceCount: number }) => sum + occurrenceCount,
          0,
        );
        assert.equal(counted, number, "each failure is in one issue");
      });

      it("is refused when the model names nothing that a failure shows", async () => {
        model.answers = [{ explanation: "", issues: [{ ...issue, agent: "", failures: [77] }] }];
        const operation = await finished(
          server,
          await rest("POST", `${DESK}:generateAppResource`, { qualityReportGenerationConfig: { evaluationRun: run } }),
        );
        assert.match(operation.error.message, /named no issue that a failure of the run shows/);
      });
    }
  });
}
