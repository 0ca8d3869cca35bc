import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readInstruction, verbatimSentencesIn, withVariables } from "./instruction.ts";

describe("parsing an instruction", () => {
  it("reads a step of the task flow with its trigger, sentences and references", () => {
    const text = `<taskflow><subtask name="Shop questions"><step name="opening_hours">
      <trigger>The customer asks when we are open.</trigger>
      <action>Call {@TOOL: get_hours}, then say "See you soon!"</action></step></subtask></taskflow>`;
    assert.deepEqual(readInstruction(text), {
      topics: ["Shop questions"],
      rules: [
        {
          occasion: "subject",
          context: "opening hours The customer asks when we are open.",
          sentences: ["See you soon!"],
          tools: ["get_hours"],
          agents: [],
          conditional: false,
        },
      ],
    });
  });

  it("reads lines of prose under their heading", () => {
    const { rules, topics } = readInstruction(
      '# Tone\nBe kind.\n# Gift cards\n- When asked about expiry, reply with "They never expire."\n- For anything else transfer to {@AGENT: Desk}.',
    );
    assert.deepEqual(topics, ["Gift cards"]);
    assert.deepEqual(
      rules.map(({ occasion, sentences, agents }) => ({ occasion, sentences, agents })),
      [
        { occasion: "subject", sentences: ["They never expire."], agents: [] },
        { occasion: "otherwise", sentences: [], agents: ["Desk"] },
      ],
    );
  });

  it("knows greetings and farewells", () => {
    const { rules } = readInstruction(
      'Greet the customer with "Welcome!"\nWhen the customer says goodbye, say "Come back soon."',
    );
    assert.deepEqual(
      rules.map(({ occasion, sentences }) => [occasion, ...sentences]),
      [
        ["greeting", "Welcome!"],
        ["farewell", "Come back soon."],
      ],
    );
  });

  it("reads nothing from an empty instruction", () => {
    assert.deepEqual(readInstruction(""), { rules: [], topics: [] });
  });
});

describe("verbatim sentences", () => {
  it("are quotes after a verb of speech, not quotes that name things", () => {
    assert.deepEqual(verbatimSentencesIn('Say: "One." Then respond with “Two.” The button is called "Three".'), [
      "One.",
      "Two.",
    ]);
  });

  it("exclude templates with gaps", () => {
    assert.deepEqual(verbatimSentencesIn('Say "Your order [number] is ready."'), []);
  });

  it("substitute variables, and leave undeclared ones as written", () => {
    assert.equal(
      withVariables("Hi {name}, {{shop.city}} calls {other}!", { name: "", shop: { city: "Rome" } }),
      "Hi, Rome calls {other}!",
    );
  });
});
