import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dataPart, textPart } from "../messages/to-parts.ts";
import { AnswerFeed } from "./answer-feed.ts";

type Told = readonly [texts: readonly unknown[], append: boolean, lastChunk: boolean];

function feed(): { readonly answer: AnswerFeed; readonly told: Told[] } {
  const told: Told[] = [];
  const answer = new AnswerFeed(({ parts, append, lastChunk }) => {
    told.push([
      parts.map(({ content }) => (content.case === "text" ? content.value : content.case)),
      append,
      lastChunk,
    ]);
  });
  return { answer, told };
}

describe("the answer of a task, for its followers (A2A-25)", () => {
  it("keeps the last character of a text back until more is said, or nothing", () => {
    const { answer, told } = feed();
    for (const piece of ["Good ", "👋", "!"]) answer.addPiece(piece, piece !== "Good ");
    answer.end([textPart("Good 👋!")]);
    assert.deepEqual(told, [
      [["Good"], false, false],
      [[" "], true, false],
      [["👋"], true, false],
      [["!"], true, true],
    ]);
  });

  it("tells a whole part as the last one when nothing follows", () => {
    const { answer, told } = feed();
    answer.addParts([textPart("It is here."), dataPart({ a: 1 })]);
    answer.end([]);
    answer.end([]);
    assert.deepEqual(told, [[["It is here.", "data"], false, true]]);
  });

  it("tells nearly all before something that takes long, and parts that others follow", () => {
    const { answer, told } = feed();
    answer.addParts([dataPart({ a: 1 }), textPart("I look.")]);
    answer.tellMost();
    answer.addPiece("Found", false);
    answer.end([]);
    assert.deepEqual(told, [
      [["data", "I look"], false, false],
      [["."], true, false],
      [["Foun"], true, false],
      [["d"], true, true],
    ]);
  });

  it("tells the whole answer in place of what was told when that is another, or nothing is left to tell", () => {
    const rewritten = feed();
    rewritten.answer.addPiece("My card is 4111", false);
    rewritten.answer.rewrite();
    rewritten.answer.end([textPart("My card is ****")]);
    assert.deepEqual(rewritten.told.at(-1), [["My card is ****"], false, true]);
    const { answer, told } = feed();
    answer.addPiece("Hello", false);
    answer.tellAll();
    answer.end([textPart("Hello")]);
    assert.deepEqual(told.slice(-2), [
      [["o"], true, false],
      [["Hello"], false, true],
    ]);
  });
});
