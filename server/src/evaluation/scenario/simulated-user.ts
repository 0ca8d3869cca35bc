import type { EvaluationPersona } from "@frontdesk/protos/ces/app";
import type { Evaluation_Scenario, Evaluation_Scenario_Milestone as Milestone } from "@frontdesk/protos/ces/evaluation";
import type { Message } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";
import { askForJson, type LanguageModel, UnusableAnswer } from "#models";
import { transcriptOf } from "../judge/transcript.ts";

/** What a simulated user knows and wants. */
export interface UserBrief {
  readonly scenario: Evaluation_Scenario;
  readonly persona: EvaluationPersona | undefined;
}

/** What a simulated user does next. */
export type UserTurn =
  | { readonly kind: "says"; readonly text: string }
  /** The user has nothing more to say: the goal is reached, or cannot be. */
  | { readonly kind: "leaves" };

/** What the model plays, as text; the same brief gives the same text, which a judge reads too. */
export function briefOf({ scenario, persona }: UserBrief, milestone: Milestone | undefined): string {
  const facts = scenario.userFacts.map(({ name, value }) => `- ${name}: ${value}`);
  return [
    `Task: ${scenario.task}`,
    ...(facts.length > 0 ? [`What the user knows:\n${facts.join("\n")}`] : []),
    ...(persona ? [`Personality: ${persona.personality}`] : []),
    ...(milestone ? [`Present goal: ${milestone.goal}`] : []),
    ...(milestone?.protocol ? [`How to act: ${milestone.protocol}`] : []),
  ].join("\n\n");
}

/** How often a model that answers nonsense is asked again, as a judge is. */
const ATTEMPTS = 2;

/** Asks a model to play the user for one turn. Rejects with UnusableAnswer when it does not answer as asked, twice (EVAL-112). */
export async function nextUserTurn(
  brief: string,
  past: readonly Message[],
  model: LanguageModel,
  signal: AbortSignal,
): Promise<UserTurn> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(brief, past, model, signal);
    } catch (error) {
      if (!(error instanceof UnusableAnswer) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function askOnce(
  brief: string,
  past: readonly Message[],
  model: LanguageModel,
  signal: AbortSignal,
): Promise<UserTurn> {
  const { answer } = await askForJson(
    model,
    {
      system:
        "You play the user of a service, who talks with an agent. Stay within the brief: invent no facts, do the agent's work for it in no " +
        "way, and say one thing at a time, as people do, in the language of the task where the brief names no other. Leave when your goal is " +
        "reached or clearly refused. " +
        'Answer with JSON: "leaves" (true when the user says nothing more) and "text" (what the user says next).\n\n' +
        `<brief>\n${brief}\n</brief>`,
      messages: [{ role: "user", parts: [{ kind: "text", text: conversationOf(past) }] }],
      responseSchema: SCHEMA,
      caller: "simulated user",
      temperature: 1,
    },
    signal,
  );
  const text = typeof answer.text === "string" ? answer.text.trim() : "";
  if (answer.leaves === true) return { kind: "leaves" };
  // Silence that was not meant must not count against the app.
  if (text === "")
    throw new UnusableAnswer(`it neither says something nor leaves: ${JSON.stringify(answer).slice(0, 200)}`);
  return { kind: "says", text };
}

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    leaves: { type: "boolean", description: "True when the user says nothing more." },
    text: { type: "string", description: "What the user says next; empty when the user leaves." },
  },
  required: ["leaves", "text"],
};

/** What a user notices of a conversation: texts, and no tool calls. */
function conversationOf(past: readonly Message[]): string {
  const audible = past.map((message) => ({
    ...message,
    chunks: message.chunks.filter(({ data }) => data.case === "text" || data.case === "transcript"),
  }));
  const transcript = transcriptOf(audible);
  return transcript === ""
    ? "The conversation begins. You speak first."
    : `<conversation>\n${transcript}\n</conversation>`;
}
