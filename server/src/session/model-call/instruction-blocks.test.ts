import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  ChannelProfile_ChannelType as ChannelType,
  ChannelProfile_PersonaProperty_Persona as Persona,
} from "@frontdesk/protos/ces/common";
import { OutputAudioConfigSchema } from "@frontdesk/protos/ces/session_service";
import { ScriptedModel, say, spoken, testSession } from "#testing/engine";
import { parseCondition } from "./instruction-condition.ts";
import { joinTemplates, parseInstruction, renderInstruction } from "./instruction-template.ts";

const VALUES = {
  vip: true,
  tier: "gold",
  n: 3,
  none: null,
  empty: "",
  user: { age: 40, tags: ["a"] },
  channel: "telephony",
};
const holds = (text: string) => parseCondition(text)?.(VALUES);
const parse = (text: string) => parseInstruction(text, () => true);
const render = (text: string, values = {}) => renderInstruction(parse(text), { ...VALUES, ...values });

describe("a condition of an instruction", () => {
  it("is evaluated as written", () => {
    const all = [
      "vip",
      "not empty and not none and not missing.deeper",
      "tier == 'gold' && n >= 3",
      'tier != "silver" || false',
      "(n < 2 or n > 2) and user.age == 40",
      "'a' in user.tags",
      "tier in ['gold', \"silver\"]",
      "tier not in ['bronze']",
      "none is none and tier is not none",
      "tier is defined and missing is not defined",
      "!empty",
      "channel == 'Telephony' and channel != 'API' and channel in ['WEB', 'TELEPHONY']",
      "vip == True",
      "n == 3.0 and n > -1",
      "tier == 'go' or tier == 'g\\old'",
    ];
    assert.deepEqual(
      all.filter((text) => holds(text) !== true),
      [],
    );
  });

  it("is false where it does not apply, for values of any type", () => {
    const all = ["missing", "tier == 'Gold'", "n < 'x'", "tier > 1", "user.tags in 'a'", "not vip", "n == '3'", "[]"];
    assert.deepEqual(
      all.filter((text) => holds(text) !== false),
      [],
    );
  });

  it("is rejected when it cannot be parsed", () => {
    const all = ["", "vip and", "(vip", "vip tier", "== 3", "tier ~ 'x'", "vip or or tier", "['a' 'b']", "n not 3"];
    assert.deepEqual(
      all.filter((text) => parseCondition(text) !== undefined),
      [],
    );
  });
});

describe("a conditional block", () => {
  it("shows the first branch whose condition is true, without the lines of the tags", () => {
    const text =
      "Start.\n{% if tier == 'silver' %}\nSilver.\n{% elif n > 2 %}\nMany: {{n}}.\n{% else %}\nElse.\n{% endif %}\nEnd.";
    assert.equal(render(text), "Start.\nMany: 3.\nEnd.");
    assert.equal(render(text, { n: 1 }), "Start.\nElse.\nEnd.");
    assert.equal(render(text, { tier: "silver" }), "Start.\nSilver.\nEnd.");
  });

  it("may be within a line, and within another block", () => {
    const text = "You {% if vip %}may{% if n > 5 %} always{%- endif -%}{% else %}must not{% endif %} pay later.";
    assert.equal(render(text), "You may pay later.");
    assert.equal(render(text, { n: 9 }), "You may always pay later.");
    assert.equal(render(text, { vip: false }), "You must not pay later.");
  });

  it("finds dynamic names in every branch", () => {
    assert.deepEqual(parse("{% if a %}{b}{% else %}{c} {% endif %}{d}").dynamicNames, ["b", "c", "d"]);
  });

  it("that does not match stays in the text, and the block of an invalid condition is shown; both are reported", () => {
    const broken = parse("A {% if vip %} B");
    assert.equal(renderInstruction(broken, {}), "A {% if vip %} B");
    assert.deepEqual(broken.problems, [
      "The blocks {% if %} … {% endif %} of an instruction do not fit together, or are more than 1,000, or 100 in one another; they are left in the text.",
    ]);
    const unreadable = parse("A{% if ~ %} B{% endif %}");
    assert.equal(renderInstruction(unreadable, {}), "A B");
    assert.deepEqual(unreadable.problems, [
      "The condition '~' of an instruction cannot be read; its block is always shown.",
    ]);
    assert.equal(
      renderInstruction(joinTemplates([broken, parse("{% if vip %}C{% endif %}")]), VALUES),
      "A {% if vip %} B\n\nC",
    );
  });
});

describe("the prompt of a session", () => {
  const prompt = async (more: Partial<Parameters<typeof testSession>[0]>, config = {}) => {
    const model = new ScriptedModel(say("Ok."));
    await using session = await testSession({ model, agents: { Root: {} }, ...more });
    assert.deepEqual(spoken(await session.send("Hi", { config })), ["Ok."]);
    return model.requests[0]?.system;
  };

  it("depends on channel and modality", async () => {
    const instruction =
      "{% if channel == 'web' %}Web.{% elif channel == 'API' %}Api.{% endif %}{% if modality == 'voice' %} Voice.{% endif %}";
    const agents = { Root: { instruction } };
    const app = { defaultChannelProfile: { channelType: ChannelType.WEB_UI } };
    assert.equal(await prompt({ agents }), "Api.");
    assert.equal(await prompt({ agents, app }), "Web.");
    const outputAudioConfig = create(OutputAudioConfigSchema, {});
    assert.equal(await prompt({ agents, app }, { outputAudioConfig }), "Web. Voice.");
  });

  it("knows the session as a predefined variable", async () => {
    const agents = { Root: { instruction: "{{_session.id}} {{_session.channel}} {{_session.time_zone}}" } };
    assert.equal(await prompt({ agents }, { timeZone: "Europe/Paris" }), "session-1 api Europe/Paris");
  });

  it("describes the persona of the channel", async () => {
    const persona = (value: Persona) => ({ app: { defaultChannelProfile: { personaProperty: { persona: value } } } });
    assert.match((await prompt(persona(Persona.CONCISE))) ?? "", /^Keep your answers short/);
    assert.match((await prompt(persona(Persona.CHATTY))) ?? "", /^Take your time/);
    assert.equal(await prompt(persona(Persona.UNKNOWN)), "");
  });

  it("prepares for many languages when the app enables that", async () => {
    const languageSettings = { defaultLanguageCode: "en-US", supportedLanguageCodes: ["de-DE", "en-US"] };
    assert.equal(await prompt({ app: { languageSettings } }), "");
    const enabled = { ...languageSettings, enableMultilingualSupport: true };
    assert.match((await prompt({ app: { languageSettings: enabled } })) ?? "", /\(as codes\): en-US, de-DE, mix them/);
  });
});
