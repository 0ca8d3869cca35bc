import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { callServer, operateServer } from "../python/call-server.ts";
import { exportTexts, importTexts, LOCATION, resource, type Texts } from "./package-files.ts";

/** A package in the form of an export with fields that the definitions lack, at every kind of place (PKG-30). */
const packageOf = (app: string): Texts => ({
  "app.json": `{
  "name": "${app}",
  "displayName": "Shop ${app}",
  "releaseTrain": "2027.10",
  "rootAgent": "Root",
  "loggingSettings": {
    "conversationLoggingSettings": {
      "retentionWindow": "31536000s",
      "keepRaw": false
    },
    "sampling": 0.50
  },
  "variableDeclarations": [{
    "name": "colour",
    "schema": {
      "type": "STRING"
    }
  }, {
    "name": "size",
    "widgetHint": "slider",
    "schema": {
      "type": "OBJECT",
      "properties": {
        "cm": {
          "type": "NUMBER",
          "multipleOf": 0.10
        }
      },
      "additionalProperties": false
    }
  }]
}`,
  "agents/Root/Root.json": `{
  "name": "root",
  "displayName": "Root",
  "instruction": "agents/Root/instruction.txt",
  "tools": ["docs"],
  "transferRules": [{
    "childAgent": "Root",
    "direction": "SIDEWAYS",
    "priority": 12345678901234567890
  }],
  "planner": {
    "zeta": [1, 2.0, {
      "9": null,
      "1": "\\u003cé😀\\u003e"
    }],
    "alpha": {
    }
  }
}`,
  "agents/Root/instruction.txt": "Help.",
  "tools/docs/docs.json": `{
  "name": "docs-1",
  "dataStoreTool": {
    "name": "docs",
    "engineSource": {
      "engineType": "SEARCH_ENGINE",
      "dataStoreSources": [{
        "dataStore": {
          "name": "$env_var",
          "engineType": "CHAT_ENGINE"
        }
      }, {
        "dataStore": {
          "name": "$env_var"
        },
        "weight": 1E3
      }],
      "region": "$env_var"
    }
  },
  "displayName": "docs"
}`,
  "environment.json": `{
  "tools": {
    "docs": {
      "dataStoreTool": {
        "engineSource": {
          "dataStoreSources": [{
            "dataStore": {
              "name": "projects/p/locations/l/collections/c/dataStores/zero"
            }
          }, {
            "dataStore": {
              "name": "projects/p/locations/l/collections/c/dataStores/one"
            },
            "replica": 2.0
          }],
          "region": "eu"
        }
      }
    }
  }
}`,
  "pythonEnvFiles/pythonEnvFiles.json": "{\n}",
});

const KEPT = "is not a known field: it has no effect here, and is kept and exported again.";

let server: TestServer;
const model = new ScriptedModel();
before(async () => {
  server = await startTestServer({ model });
});
after(() => server[Symbol.asyncDispose]());

describe("Fields of a package that the definitions lack", () => {
  it("are exported byte for byte at their place, each with a warning", async () => {
    const warnings = await importTexts(server, "whole", packageOf("whole"));
    assert.deepEqual(await exportTexts(server, "whole"), packageOf("whole"));
    const fields = [
      "app.json: releaseTrain",
      "app.json: loggingSettings.conversationLoggingSettings.keepRaw",
      "app.json: loggingSettings.sampling",
      "app.json: variableDeclarations[1].widgetHint",
      'app.json: variableDeclarations[1].schema.properties["cm"].multipleOf',
      "agents/Root/Root.json: transferRules[0].priority",
      "agents/Root/Root.json: planner",
      "tools/docs/docs.json: dataStoreTool.engineSource.engineType",
      "tools/docs/docs.json: dataStoreTool.engineSource.dataStoreSources[0].dataStore.engineType",
      "tools/docs/docs.json: dataStoreTool.engineSource.dataStoreSources[1].weight",
      "tools/docs/docs.json: dataStoreTool.engineSource.region",
      "environment.json: tools.docs: dataStoreTool.engineSource.dataStoreSources[1].replica",
      "environment.json: tools.docs: dataStoreTool.engineSource.region",
    ];
    assert.deepEqual(
      warnings.filter((warning) => warning.endsWith(KEPT)),
      fields.map((field) => `${field}: ${KEPT}`),
    );
    assert.equal("planner" in (await resource(server, "whole/agents/root")), false);
  });

  it("are the same through YAML", async () => {
    await importTexts(server, "json", packageOf("yaml"));
    const yaml = await exportTexts(server, "json", { exportFormat: "YAML" });
    assert.match(
      yaml["agents/Root/Root.yaml"] ?? "",
      /priority: 12345678901234567890\nplanner:\n {2}zeta:\n {2}- 1\n {2}- 2\.0\n/,
    );
    await callServer(server, "DELETE", `${LOCATION}/apps/json`);
    await importTexts(server, "yaml", yaml);
    assert.deepEqual(await exportTexts(server, "yaml"), packageOf("yaml"));
  });

  it("stay when other fields change, in the same list as well", async () => {
    await importTexts(server, "edited", packageOf("edited"));
    const { dataStoreTool } = await resource(server, "edited/tools/docs-1");
    await resource(server, "edited/tools/docs-1", {
      dataStoreTool: { ...Object(dataStoreTool), description: "All of it." },
    });
    const { variableDeclarations } = await resource(server, "edited");
    await resource(server, "edited", {
      variableDeclarations: [
        { name: "age", schema: { type: "NUMBER" } },
        ...(variableDeclarations as object[]).reverse(),
      ],
    });
    await resource(server, "edited/agents/root", { instruction: "Help well.", description: "Helps." });
    const texts = await exportTexts(server, "edited");
    for (const [path, text = ""] of Object.entries(packageOf("edited")))
      assert.deepEqual(unknownLines(texts[path]), unknownLines(text), path);
  });

  it("are in versions, and back after a version is restored", async () => {
    await importTexts(server, "versioned", packageOf("versioned"));
    const app = `${LOCATION}/apps/versioned`;
    const version = await callServer(server, "POST", `${app}/versions?appVersionId=first`, { displayName: "First" });
    const whole = packageOf("versioned");
    const { planner: _, ...root } = JSON.parse(whole["agents/Root/Root.json"] ?? "{}");
    await importTexts(server, "versioned", { ...whole, "agents/Root/Root.json": JSON.stringify(root) });
    assert.doesNotMatch((await exportTexts(server, "versioned"))["agents/Root/Root.json"] ?? "", /planner/);
    assert.deepEqual(await exportTexts(server, "versioned", { appVersion: version.name }), whole);
    await operateServer(server, `${version.name}:restore`, {});
    assert.deepEqual(await exportTexts(server, "versioned"), whole);
  });

  it("go with the message that has them, and give way to a value that is set", async () => {
    await importTexts(server, "cleared", packageOf("cleared"));
    await resource(server, "cleared/agents/root", {
      transferRules: [{ ...RULE, direction: "PARENT_TO_CHILD", childAgent: `${LOCATION}/apps/cleared/agents/root` }],
    });
    await resource(server, "cleared", { variableDeclarations: [] });
    const texts = await exportTexts(server, "cleared");
    assert.match(texts["agents/Root/Root.json"] ?? "", /"direction": "PARENT_TO_CHILD",/);
    assert.doesNotMatch(texts["agents/Root/Root.json"] ?? "", /SIDEWAYS/);
    assert.doesNotMatch(texts["app.json"] ?? "", /widgetHint|multipleOf/);
  });
});

const RULE = { disablePlannerTransfer: { expressionCondition: { expression: "true" } } };

/** The lines of a file with members that the definitions lack. */
function unknownLines(text = ""): readonly string[] {
  return text
    .split("\n")
    .filter((line) =>
      /releaseTrain|keepRaw|sampling|Hint|multiple|additional|SIDE|priority|"9"|"1"|_ENGINE|weight|region|replica/.test(
        line,
      ),
    )
    .map((line) => line.replace(/,$/, ""))
    .sort();
}

describe("A type of agent that the definitions lack", () => {
  const declarative = (fields: object): Texts => ({
    "app.json": '{"displayName": "Desk", "rootAgent": "Desk"}',
    "agents/Desk/Desk.json": JSON.stringify({
      name: "desk",
      displayName: "Desk",
      declarativeAgent: { configSource: { format: "CES_DECLARATIVE_YAML_V1", inlineText: "steps: []" } },
      ...fields,
    }),
  });
  const talk = (appId: string) =>
    fetch(`${server.address}/v1beta/${LOCATION}/apps/${appId}/sessions/hello-1:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        config: { session: `${LOCATION}/apps/${appId}/sessions/hello-1` },
        inputs: [{ text: "Hi" }],
      }),
    });

  it("is a validation error, and does not run without an instruction", async () => {
    const warnings = await importTexts(server, "declarative", declarative({}));
    const problem =
      "declarativeAgent: is a type of agent that cannot run here, and there is no instruction, so every turn that this agent answers by its model fails; write an instruction.";
    assert.ok(warnings.includes(`Agent 'Desk', ${problem}`), warnings.join("\n"));
    assert.deepEqual((await resource(server, "declarative/agents/desk")).validationErrors, [problem]);
    const response = await talk("declarative");
    const { error } = Object(await response.json());
    assert.deepEqual(
      [response.status, error.status, error.message],
      [
        400,
        "FAILED_PRECONDITION",
        "Agent 'Desk' is of the type 'declarativeAgent', which cannot run here, and has no instruction; write an instruction for it.",
      ],
    );
  });

  it("runs by its instruction when it has one, and says so", async () => {
    await importTexts(server, "instructed", declarative({ instruction: "Greet." }));
    assert.deepEqual((await resource(server, "instructed/agents/desk")).validationErrors, [
      "declarativeAgent: is a type of agent that cannot run here; the agent runs by its instruction instead.",
    ]);
    model.extend(say("Hello."));
    assert.equal((await talk("instructed")).status, 200);
  });
});
