import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Schema_Type as SchemaType } from "@frontdesk/protos/ces/schema";
import { APP, LOCATION, openResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

describe("an app", () => {
  it("counts its deployments without changing its etag", async () => {
    await using test = await openResources();
    const before = await test.call("getApp", { name: APP });
    const deployment = await test.call("createDeployment", {
      parent: APP,
      deployment: { displayName: "Web", channelProfile: {} },
    });
    const deployed = await test.call("getApp", { name: APP });
    assert.deepEqual([before.deploymentCount, deployed.deploymentCount, deployed.etag], [0, 1, before.etag]);
    assert.deepEqual(deployed.updateTime, before.updateTime);
    await test.call("deleteDeployment", { name: deployment.name });
    assert.deepEqual(await test.call("getApp", { name: APP }), before);
  });

  it("declares the predefined variables", async () => {
    await using test = await openResources();
    const { predefinedVariableDeclarations } = await test.call("getApp", { name: APP });
    assert.deepEqual(
      predefinedVariableDeclarations.map(({ name }) => name),
      ["current_date", "_session"],
    );
  });

  it("has validation errors until they are corrected", async () => {
    await using test = await openResources();
    const errors = async () => (await test.call("getApp", { name: APP })).validationErrors;
    assert.deepEqual(await errors(), [
      "root_agent is not set, so no conversation can start; create an agent and name it there.",
    ]);
    const { name } = await test.call("createAgent", {
      parent: APP,
      agentId: "root-agent",
      agent: { displayName: "Root" },
    });
    await test.call("createGuardrail", { parent: APP, guardrailId: "halting", guardrail: { displayName: "Halting" } });
    await test.call("updateApp", {
      app: {
        name: APP,
        rootAgent: name,
        variableDeclarations: [
          { name: "1st", schema: { type: 1 } },
          { name: "ok", schema: { type: 1 } },
          { name: "with-hyphen", schema: { type: 1 } },
        ],
      },
    });
    assert.deepEqual(await errors(), [
      "Variable '1st': a name starts with a letter or underscore and goes on with letters, digits, underscores and hyphens.",
      "Guardrail 'Halting' has no type, so it cannot be enabled; set its type, e.g. content_filter.",
      "Guardrail 'Halting' has no action, so nothing can be done when it triggers; set 'action'.",
    ]);
    await test.call("deleteGuardrail", { name: `${APP}/guardrails/halting` });
    await test.call("updateApp", { app: { name: APP }, updateMask: { paths: ["variable_declarations"] } });
    assert.deepEqual(await errors(), []);
  });

  it("rejects every change while it is locked, except unlocking", async () => {
    await using test = await openResources();
    const { name: agent } = await test.call("createAgent", {
      parent: APP,
      agentId: "root-agent",
      agent: { displayName: "Root" },
    });
    await test.call("updateApp", { app: { name: APP, locked: true } });
    const statusError = {
      code: "FailedPrecondition",
      message: `The app '${APP}' is locked for changes; set its 'locked' field to false first.`,
    };
    const attempts = [
      () => test.call("createAgent", { parent: APP, agent: { displayName: "More" } }),
      () => test.call("updateAgent", { agent: { name: agent, description: "x" } }),
      () => test.call("deleteAgent", { name: agent }),
      () => test.call("updateApp", { app: { name: APP, description: "x" } }),
      () => test.call("deleteApp", { name: APP }),
    ];
    for (const attempt of attempts) assert.deepEqual(await statusErrorOf(attempt()), statusError);
    await test.call("updateApp", { app: { name: APP }, updateMask: { paths: ["locked"] } });
    assert.equal((await test.call("updateAgent", { agent: { name: agent, description: "x" } })).description, "x");
  });

  it("is deleted with its whole tree, and nothing of an app with a longer name", async () => {
    await using test = await openResources();
    await test.call("createApp", { parent: LOCATION, appId: "garden-2", app: { displayName: "Second" } });
    for (const parent of [APP, `${APP}-2`]) {
      await test.call("createAgent", { parent, agentId: "root-agent", agent: { displayName: "Root" } });
      await test.call("createAppVersion", { parent, appVersionId: "first", appVersion: {} });
    }
    await test.call("deleteApp", { name: APP });
    for (const call of [
      test.call("getApp", { name: APP }),
      test.call("getAgent", { name: `${APP}/agents/root-agent` }),
      test.call("getAppVersion", { name: `${APP}/versions/first` }),
      test.resources.snapshots.draft(APP),
      test.resources.snapshots.version(`${APP}/versions/first`),
    ]) {
      assert.equal((await statusErrorOf(call)).code, "NotFound");
    }
    assert.equal((await test.call("getAgent", { name: `${APP}-2/agents/root-agent` })).displayName, "Root");
    await test.call("createApp", { parent: LOCATION, appId: "garden", app: { displayName: "Again" } });
    assert.deepEqual((await test.call("listAgents", { parent: APP })).agents, []);
  });

  it("defines 30 personas at most", async () => {
    await using test = await openResources();
    const evaluationPersonas = Array.from({ length: 31 }, (_, index) => ({
      name: `p${index}`,
      displayName: `P${index}`,
      personality: "calm",
    }));
    assert.deepEqual(await statusErrorOf(test.call("updateApp", { app: { name: APP, evaluationPersonas } })), {
      code: "InvalidArgument",
      violations: { "app.evaluation_personas": "At most 30 personas can be defined; there are 31." },
    });
  });

  it("keeps conversations for two years at most", async () => {
    await using test = await openResources();
    const update = (seconds: bigint) => {
      const loggingSettings = { conversationLoggingSettings: { retentionWindow: { seconds } } };
      return test.call("updateApp", { app: { name: APP, loggingSettings } });
    };
    for (const seconds of [0n, 63_072_001n]) {
      assert.deepEqual(await statusErrorOf(update(seconds)), {
        code: "InvalidArgument",
        violations: {
          "app.logging_settings.conversation_logging_settings.retention_window": `A retention window is longer than 0s and at most 63072000s (two years); this one is ${seconds}s.`,
        },
      });
    }
    await update(63_072_000n);
  });

  it("has validation errors for templates of Cloud DLP that are not used", async () => {
    await using test = await openResources();
    const inspectTemplate = "projects/p/locations/l/inspectTemplates/t";
    const errors = async (enableRedaction: boolean) => {
      const loggingSettings = { redactionConfig: { enableRedaction, inspectTemplate } };
      return (await test.call("updateApp", { app: { name: APP, loggingSettings } })).validationErrors.slice(1);
    };
    const field = "logging_settings.redaction_config.inspect_template";
    assert.deepEqual(await errors(true), [
      `${field}: Cloud DLP is not configured here; the built-in detectors redact instead.`,
    ]);
    assert.deepEqual(await errors(false), [`${field}: has no effect, since enable_redaction is off.`]);
  });
});

describe("an app's voice settings", () => {
  it("are rejected outside their ranges, all at once", async () => {
    await using test = await openResources();
    const audioProcessingConfig = {
      synthesizeSpeechConfigs: { en: { speakingRate: 3 }, de: { speakingRate: 0.5 } },
      ambientSoundConfig: { volumeGainDb: 17 },
    };
    assert.deepEqual(await statusErrorOf(test.call("updateApp", { app: { name: APP, audioProcessingConfig } })), {
      code: "InvalidArgument",
      violations: {
        "app.audio_processing_config.synthesize_speech_configs.en.speaking_rate":
          "A speaking rate is from 0.25 to 2; this one is 3.",
        "app.audio_processing_config.ambient_sound_config.volume_gain_db":
          "A volume gain is from -96 to 16 dB; this one is 17.",
      },
    });
  });

  it("have validation errors for what this server does not support", async () => {
    await using test = await openResources();
    const { validationErrors } = await test.call("updateApp", {
      app: {
        name: APP,
        loggingSettings: {
          audioRecordingConfig: { gcsBucket: "gs://calls" },
          evaluationAudioRecordingConfig: { gcsBucket: "gs://calls" },
        },
        audioProcessingConfig: {
          synthesizeSpeechConfigs: { en: { voiceSampleGcsUri: "gs://voices/me.wav" } },
          customVoiceSamples: [{ name: "me", voiceSampleGcsUri: "gs://voices/me.wav" }],
        },
      },
    });
    assert.deepEqual(validationErrors.slice(1), [
      "logging_settings.audio_recording_config: sound is not recorded here; transcripts are kept.",
      "logging_settings.evaluation_audio_recording_config: sound is not recorded here; transcripts are kept.",
      "audio_processing_config.synthesize_speech_configs.en.voice_sample_gcs_uri: voices are not cloned here; another one speaks.",
      "audio_processing_config.custom_voice_samples: voices are not cloned here; the voices of the providers speak.",
    ]);
  });
});

describe("a variable", () => {
  it("has a validation error for a default that is not of its type (TURN-71)", async () => {
    await using test = await openResources();
    const variable = (name: string, type: SchemaType, kind: Value["kind"]) => ({
      name,
      schema: { type, default: create(ValueSchema, { kind }) },
    });
    const variableDeclarations = [
      variable("nights", SchemaType.INTEGER, { case: "stringValue", value: "1" }),
      variable("price", SchemaType.NUMBER, { case: "numberValue", value: 1 }),
      variable("guests", SchemaType.INTEGER, { case: "numberValue", value: 1.5 }),
      variable("open", SchemaType.TYPE_UNSPECIFIED, { case: "boolValue", value: true }),
    ];
    const { validationErrors } = await test.call("updateApp", { app: { name: APP, variableDeclarations } });
    assert.deepEqual(validationErrors.slice(1), [
      "Variable 'nights': its default is a string, declared as INTEGER; write a default of this type.",
      "Variable 'guests': its default is a fraction, declared as INTEGER; write a default of this type.",
    ]);
  });
});

describe("toolsets whose tools have the same names (TSET-13)", () => {
  it("are a validation error", async () => {
    await using test = await openResources();
    const openApiToolset = { openApiSchema: "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {}\n" };
    for (const [toolsetId, displayName] of Object.entries({ one_shop: "my-shop", two_shop: "my_shop", other: "shop" }))
      await test.call("createToolset", {
        parent: APP,
        toolsetId,
        toolset: { displayName, toolsetType: { case: "openApiToolset", value: openApiToolset } },
      });
    assert.deepEqual(
      (await test.call("getApp", { name: APP })).validationErrors.filter((error) => error.startsWith("Toolsets")),
      [
        "Toolsets 'my-shop' and 'my_shop' all name their tools 'my_shop_…', so that of tools with one id only the first is offered and called; rename all but one of them.",
      ],
    );
  });
});

describe("a Python tool", () => {
  it("has a validation error for a Service Directory service, which its requests do not go through", async () => {
    await using test = await openResources();
    const service = "projects/p/locations/l/namespaces/n/services/s";
    const pythonFunction = { name: "find", pythonCode: "def find() -> dict:", serviceDirectoryConfig: { service } };
    await test.call("createTool", {
      parent: APP,
      toolId: "find-it",
      tool: { toolType: { case: "pythonFunction", value: pythonFunction } },
    });
    assert.deepEqual((await test.call("getApp", { name: APP })).validationErrors.slice(1), [
      "Tool 'find', python_function: service_directory_config has no effect; to let ces_requests call private hosts, name them in egress.allow of the config file.",
    ]);
  });
});

describe("the change log", () => {
  it("numbers changes one by one and keeps before and after", async () => {
    await using test = await openResources();
    const { name } = await test.call("createAgent", {
      parent: APP,
      agentId: "root-agent",
      agent: { displayName: "Root" },
    });
    await test.call("updateAgent", { agent: { name, displayName: "Front", instruction: "Greet." } });
    const { changelogs } = await test.call("listChangelogs", { parent: APP });
    assert.deepEqual(
      changelogs.map(({ sequenceNumber, action, description, originalResource, newResource }) => [
        sequenceNumber,
        action,
        description,
        originalResource?.displayName,
        newResource?.displayName,
      ]),
      [
        [3n, "Update", "Updated display_name, instruction.", "Root", "Front"],
        [2n, "Create", "Created agent.", undefined, "Root"],
        [1n, "Create", "Created app.", undefined, "Garden"],
      ],
    );
    const [latest] = changelogs;
    assert.deepEqual(await test.call("getChangelog", { name: latest?.name ?? "" }), latest);
  });

  it("supports the documented filters", async () => {
    await using test = await openResources();
    const { name } = await test.call("createAgent", {
      parent: APP,
      agentId: "my-agent",
      agent: { displayName: "Root" },
    });
    await test.call("updateAgent", { agent: { name, description: "x" } });
    const numbers = async (filter: string) =>
      (await test.call("listChangelogs", { parent: APP, filter })).changelogs.map(({ sequenceNumber }) =>
        Number(sequenceNumber),
      );
    assert.deepEqual(await numbers("action:update"), [3]);
    assert.deepEqual(await numbers('action="Create"'), [2, 1]);
    assert.deepEqual(await numbers('action="create"'), []);
    assert.deepEqual(await numbers('action = ("Create" OR "Update")'), [3, 2, 1]);
    assert.deepEqual(await numbers('action != ("Create" OR "Delete")'), [3]);
    assert.deepEqual(await numbers("resource_type:agent"), [3, 2]);
    assert.deepEqual(await numbers("resource_name:(my-agent AND NOT your-agent)"), [3, 2]);
    assert.deepEqual(await numbers("resource_name:my-agent"), [3, 2]);
    assert.deepEqual(await numbers("author:mia@example.com"), [3, 2, 1]);
    assert.deepEqual(await numbers('create_time > "2027-01-01T00:00:00Z"'), []);
    assert.deepEqual(await numbers('create_time <= "2027-01-01T00:00:00Z" AND resource_type:app'), [1]);
  });

  it("stays gapless when many write at once", async () => {
    await using test = await openResources();
    const agents = Array.from({ length: 20 }, (_, index) =>
      test.call("createAgent", { parent: APP, agentId: `agent-${index}`, agent: { displayName: `Agent ${index}` } }),
    );
    await Promise.all(agents);
    const { changelogs } = await test.call("listChangelogs", { parent: APP });
    assert.deepEqual(
      changelogs.map(({ sequenceNumber }) => Number(sequenceNumber)),
      Array.from({ length: 21 }, (_, index) => 21 - index),
    );
  });
});

describe("security settings", () => {
  const name = `${LOCATION}/securitySettings`;

  it("exist and are empty before they are written", async () => {
    await using test = await openResources();
    const settings = await test.call("getSecuritySettings", { name });
    assert.deepEqual([settings.name, settings.endpointControlPolicy, settings.etag], [name, undefined, ""]);
  });

  it("are created by the first update and protected by their etag", async () => {
    await using test = await openResources();
    const update = (allowedOrigins: string[], etag = "") =>
      test.call("updateSecuritySettings", {
        securitySettings: { name, etag, endpointControlPolicy: { allowedOrigins } },
      });
    const first = await update(["https://a.example.com"]);
    assert.deepEqual(await test.call("getSecuritySettings", { name }), first);
    const second = await update(["https://b.example.com"], first.etag);
    assert.deepEqual(second.endpointControlPolicy?.allowedOrigins, ["https://b.example.com"]);
    assert.deepEqual(second.createTime, first.createTime);
    assert.equal((await statusErrorOf(update(["https://c.example.com"], first.etag))).code, "Aborted");
  });
});
