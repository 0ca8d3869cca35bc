import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createEgress, createLogger, definedFields, type JsonObject } from "#base";
import { createBuiltinRedaction, createDlpRedaction, createGoogleService } from "#session";
import { ScriptedModel, say, startTestServer } from "#testing";
import { type GoogleServer, startDlp } from "#testing/google";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/clinic`;
const PLACE = "projects/my-project/locations/europe-west3";
const INSPECT = `${PLACE}/inspectTemplates/names`;
const DEIDENTIFY = `${PLACE}/deidentifyTemplates/brackets`;

interface Stored {
  readonly conversation: string;
  readonly answers: readonly string[];
}

/** Holds two turns with an app of these redaction settings; answers what the client heard and all that is stored. */
async function talk(
  dlp: GoogleServer,
  redactionConfig: JsonObject,
  more: { readonly apps?: readonly string[] } = {},
): Promise<Stored> {
  const model = new ScriptedModel(say("Hello Ann Archer, we write to ann@mail.example."), say("Bye Ann Archer."));
  const accessToken = async () => "a-token";
  await using server = await startTestServer({
    model,
    config: { egressAllow: ["127.0.0.1"], dlp: { endpoint: dlp.address, accessToken, timeoutMs: 5_000, ...more } },
  });
  const send = async (method: string, path: string, body?: JsonObject) => {
    const response = await fetch(`${server.address}/v1beta/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  };
  await send("POST", `${PARENT}/apps?appId=clinic`, { displayName: "Clinic", loggingSettings: { redactionConfig } });
  await send("POST", `${APP}/agents?agentId=front-desk`, { displayName: "Front" });
  await send("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` });
  const session = `${APP}/sessions/one-session`;
  const answers: string[] = [];
  for (const text of ["I am Ann Archer", "bye"]) {
    const answer = JSON.parse(await send("POST", `${session}:runSession`, { config: { session }, inputs: [{ text }] }));
    answers.push(answer.outputs[0].text);
  }
  // The running session continues with the original messages.
  assert.equal(JSON.stringify(model.requests[1]?.messages).includes("Ann Archer"), true);
  return { answers, conversation: await send("GET", `${APP}/conversations/one-session`) };
}

const HEARD = ["Hello Ann Archer, we write to ann@mail.example.", "Bye Ann Archer."];

describe("redaction by Cloud DLP", () => {
  it("stores what the app's templates leave, while the client gets everything", async () => {
    await using dlp = await startDlp({ templates: { [INSPECT]: { "Ann Archer": "PERSON_NAME" } } });
    const { answers, conversation } = await talk(dlp, {
      enableRedaction: true,
      inspectTemplate: INSPECT,
      deidentifyTemplate: DEIDENTIFY,
    });
    assert.deepEqual(answers, HEARD);
    assert.equal(conversation.includes("Ann Archer"), false);
    assert.equal(conversation.includes("I am [PERSON_NAME]"), true);
    // The templates say what is found, and this one knows no addresses.
    assert.equal(conversation.includes("ann@mail.example"), true);
    const [first, second] = dlp.requests;
    assert.equal(dlp.requests.length, 2);
    assert.deepEqual(
      [first?.path, first?.authorization, second?.path],
      [`/v2/${PLACE}/content:deidentify`, "Bearer a-token", `/v2/${PLACE}/content:deidentify`],
    );
    const { item: _item, ...names } = first?.message ?? {};
    assert.deepEqual(names, { inspectTemplateName: INSPECT, deidentifyTemplateName: DEIDENTIFY });
  });

  it("puts the kind in brackets when the app names an inspect template alone", async () => {
    await using dlp = await startDlp({ templates: { [INSPECT]: { "Ann Archer": "PERSON_NAME" } } });
    const { conversation } = await talk(dlp, { enableRedaction: true, inspectTemplate: INSPECT });
    assert.equal(conversation.includes("I am [PERSON_NAME]"), true);
    assert.deepEqual(dlp.requests[0]?.message.deidentifyConfig, {
      infoTypeTransformations: { transformations: [{ primitiveTransformation: { replaceWithInfoTypeConfig: {} } }] },
    });
  });

  it("leaves apps without a template to the built-in detectors", async () => {
    await using dlp = await startDlp({ templates: {} });
    const { conversation } = await talk(dlp, { enableRedaction: true });
    assert.equal(conversation.includes("[EMAIL_ADDRESS]"), true);
    assert.deepEqual(dlp.requests, []);
  });

  it("withholds every text when it fails: roles and times are stored, content is not", async () => {
    await using dlp = await startDlp({ templates: {}, broken: { status: 403, errorMessage: "Permission denied." } });
    const { answers, conversation } = await talk(dlp, { enableRedaction: true, inspectTemplate: INSPECT });
    assert.deepEqual(answers, HEARD);
    assert.equal(/Ann Archer|ann@mail|bye/i.test(conversation), false);
    const turns = JSON.parse(conversation).turns as { messages: { role: string; chunks: { text: string }[] }[] }[];
    assert.deepEqual(
      turns.map(({ messages }) => messages.map(({ role, chunks }) => [role, ...chunks.map(({ text }) => text)])),
      [
        [
          ["user", "[WITHHELD]"],
          ["Front", "[WITHHELD]"],
        ],
        [
          ["user", "[WITHHELD]"],
          ["Front", "[WITHHELD]"],
        ],
      ],
    );
  });

  it("withholds every text of an app that the operator has not named, and asks nothing", async () => {
    await using dlp = await startDlp({ templates: { [INSPECT]: { "Ann Archer": "PERSON_NAME" } } });
    const config = { enableRedaction: true, inspectTemplate: INSPECT };
    const { answers, conversation } = await talk(dlp, config, { apps: ["projects/another/*"] });
    assert.deepEqual(answers, HEARD);
    assert.equal(/Ann Archer|ann@mail|bye/i.test(conversation), false);
    assert.deepEqual(dlp.requests, []);
  });

  it("sends many texts in few calls, and withholds one that is too long for any", async () => {
    await using dlp = await startDlp({ templates: { [INSPECT]: { Ann: "PERSON_NAME" } } });
    const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
    const logger = createLogger("silent");
    const service = createGoogleService({ label: "Cloud DLP", egress, accessToken: async () => "a-token" });
    const deps = { service, endpoint: dlp.address, fallback: createBuiltinRedaction(), logger };
    const config = { enableRedaction: true, inspectTemplate: INSPECT, deidentifyTemplate: "" };
    const long = `Ann ${"x".repeat(150_000)}`;
    const texts = ["Ann", long, long, long, `Ann ${"x".repeat(500_000)}`, "Ann too"];
    const redact = (projects?: readonly string[]) =>
      createDlpRedaction({ ...deps, ...definedFields({ projects }) })
        .redactorFor({ $typeName: "google.cloud.ces.v1beta.RedactionConfig", ...config }, "app")
        .redact(texts);
    const redacted = long.replace("Ann", "[PERSON_NAME]");
    assert.deepEqual(await redact(), [
      "[PERSON_NAME]",
      redacted,
      redacted,
      redacted,
      "[WITHHELD]",
      "[PERSON_NAME] too",
    ]);
    assert.equal(dlp.requests.length, 3);
    // Another project's templates are nobody's to use when the operator says which are.
    assert.deepEqual(
      await redact(["another"]),
      texts.map(() => "[WITHHELD]"),
    );
    await egress.close();
  });
});
