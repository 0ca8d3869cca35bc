import type { z } from "zod";
import { askForJson, type LanguageModel, type ModelMessage, type Models, UnusableAnswer } from "#models";
import { deadlineExceeded, failedPrecondition, unavailable } from "#status";
import { type GenerationLimits, MAX_ANSWER_CHARACTERS } from "../limits.ts";
import { responseSchemaOf } from "./response-schema.ts";

/** What a model is asked to write. */
interface Assignment<Shape extends z.ZodType> {
  /** Who asks, for recordings. */
  readonly caller: string;
  /** What to write and how: ours. */
  readonly system: string;
  /** What to write it from: the author's and the app's, to be read as data. */
  readonly material: string;
  /** The form of the answer. */
  readonly shape: Shape;
}

/** Writes what a generation is made of. */
export interface Author {
  /**
   * The answer to an assignment. An answer of another form is told what is wrong with it and asked again, at most twice; then UNAVAILABLE with
   * reason GENERATION_FAILED. Also throws the errors of the provider, and RESOURCE_EXHAUSTED once the tokens are spent.
   */
  write<Shape extends z.ZodType>(assignment: Assignment<Shape>, signal: AbortSignal): Promise<z.infer<Shape>>;
}

/** How often a model is asked for one answer (GEN-10). */
const ATTEMPTS = 3;

/** The author of a model. */
export function createAuthor(model: LanguageModel, limits: GenerationLimits): Author {
  return {
    async write(assignment, signal) {
      let problem = "";
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        try {
          return await ask(assignment, problem, { model, limits, signal });
        } catch (error) {
          if (!(error instanceof UnusableAnswer)) throw error;
          problem = error.message;
        }
      }
      throw generationFailed(
        `The language model ${model.label} gave no answer that can be used, ${ATTEMPTS} times in a row: ${problem}.`,
      );
    },
  };
}

/** UNAVAILABLE: the model's work cannot be used. The same request may succeed, because models answer differently each time. */
export function generationFailed(message: string): Error {
  return unavailable(`${message} Nothing was changed. Try again, or set generation.model to another model.`, {
    reason: "GENERATION_FAILED",
  });
}

/** The model that writes. FAILED_PRECONDITION where only rules answer, with what to set (GEN-12). */
export function writingModel(models: Pick<Models, "resolve">, name: string): LanguageModel {
  const model = models.resolve(name);
  if (model.capabilities.instructionFollowing) return model;
  throw failedPrecondition(
    `This is written by a language model, and ${model.label} is rules. Set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY, or ` +
      "FRONTDESK_MODEL and a provider in the configuration file. Without a model, start from a template: frontdesk init --template faq.",
    { reason: "MODEL_PROVIDER_NOT_CONFIGURED", metadata: { model: name, providers: "" } },
  );
}

interface Asking {
  readonly model: LanguageModel;
  readonly limits: GenerationLimits;
  readonly signal: AbortSignal;
}

async function ask<Shape extends z.ZodType>(
  { caller, system, material, shape }: Assignment<Shape>,
  problem: string,
  { model, limits, signal }: Asking,
): Promise<z.infer<Shape>> {
  const late = AbortSignal.timeout(limits.answerMs);
  const request = {
    system,
    messages: [userMessage(problem === "" ? material : `${material}\n\n${again(problem)}`)],
    responseSchema: responseSchemaOf(shape),
    caller,
    maxOutputTokens: limits.answerTokens,
  };
  try {
    const ended = AbortSignal.any([signal, late]);
    const { answer } = await askForJson(model, request, ended, { maxCharacters: MAX_ANSWER_CHARACTERS });
    const read = shape.safeParse(answer);
    if (read.success) return read.data;
    throw new UnusableAnswer(shapeProblem(read.error));
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    throw deadlineExceeded(
      `The language model ${model.label} had not finished its answer after ${limits.answerMs / 1_000} seconds. Nothing was changed.`,
    );
  }
}

function userMessage(text: string): ModelMessage {
  return { role: "user", parts: [{ kind: "text", text }] };
}

function again(problem: string): string {
  return `<rejected_answer>\nYour last answer could not be used: ${problem}.\n</rejected_answer>`;
}

/** The first faults of an answer: field and what is wrong. */
function shapeProblem({ issues }: z.ZodError): string {
  const shown = issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`);
  return `it has not the asked form: ${shown.join("; ")}`;
}
