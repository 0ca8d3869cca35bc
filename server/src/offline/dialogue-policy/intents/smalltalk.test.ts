import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asksForPerson, detectSmalltalk } from "./smalltalk.ts";

describe("detectSmalltalk", () => {
  const table = [
    ["Hello there!", "greeting"],
    ["thanks a lot", "thanks"],
    ["Thanks, bye", "goodbye"],
    ["no, that's all, thank you", "goodbye"],
    ["never mind", "decline"],
    ["ok great", "affirm"],
    ["hi, where is my order?", undefined],
    ["no idea what you mean", undefined],
    ["", undefined],
  ] as const;
  for (const [text, expected] of table) {
    it(`classifies "${text}" as ${expected ?? "no smalltalk"}`, () => assert.equal(detectSmalltalk(text), expected));
  }
});

describe("asksForPerson", () => {
  for (const text of [
    "talk to a human",
    "I want to speak to your manager",
    "Can I chat with a real person?",
    "representative",
    "please escalate this",
    "get me an agent",
  ]) {
    it(`detects it in "${text}"`, () => assert.equal(asksForPerson(text), true));
  }
  for (const text of [
    "where is my order?",
    "a person stole my parcel",
    "I need to give my colleague a gift",
    "my manager wants to know the status of A-1",
  ]) {
    it(`does not detect it in "${text}"`, () => assert.equal(asksForPerson(text), false));
  }
});
