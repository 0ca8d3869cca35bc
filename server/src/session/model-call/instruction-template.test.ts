import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseInstruction, renderInstruction } from "./instruction-template.ts";

const declared = (name: string) => ["user", "tier", "list", "off"].includes(name);
const render = (text: string, variables = {}) => renderInstruction(parseInstruction(text, declared), variables);

describe("an instruction", () => {
  it("fills static places, nested ones too, text as it is and all else as JSON", () => {
    const variables = { user: { name: "Ana", age: 7 }, list: ["a"], off: false };
    assert.equal(render("{{user.name}} {{ user.age }} {{list}} {{off}}", variables), 'Ana 7 ["a"] false');
  });

  it("leaves what has no value, and what is not declared, as it is written", () => {
    assert.equal(
      render("{{tier}} {{user.name.first}} {{other}} {other}", { tier: null, user: {} }),
      "{{tier}} {{user.name.first}} {{other}} {other}",
    );
  });

  it("keeps dynamic places and names their variables once", () => {
    const template = parseInstruction("{tier} {user.name} {tier} {other}", declared);
    assert.deepEqual(template.dynamicNames, ["tier", "user"]);
    assert.equal(renderInstruction(template, { tier: "gold" }), "{tier} {user.name} {tier} {other}");
  });

  it("shows references under the name that the model knows", () => {
    assert.equal(
      render("Ask {@AGENT: Billing Desk}, then {@TOOL: find_order}, {@WIDGET: card} or {@Widget: menu}, {@tool: a-b}."),
      "Ask Billing Desk, then find_order, card or menu, a-b.",
    );
  });

  it("knows variables with a hyphen", () => {
    const knows = (name: string) => name === "order-id";
    const template = parseInstruction(
      "{{order-id}} {order-id} {{other-id}} {% if order-id == 7 %}yes{% endif %}",
      knows,
    );
    assert.deepEqual([template.dynamicNames, template.problems], [["order-id"], []]);
    assert.equal(renderInstruction(template, { "order-id": 7 }), "7 {order-id} {{other-id}} yes");
  });

  it("leaves code and JSON in it alone", () => {
    assert.equal(render('{"a": {}} {% if x %} {{}}'), '{"a": {}} {% if x %} {{}}');
  });
});
