import type { JsonObject } from "#base";
import type { FunctionDeclaration, ModelRequest } from "#models";
import { currentTurn, type Step, stepsOf, TRANSFER, type Turn } from "./conversation.ts";
import type { Instruction } from "./instruction.ts";

/** Everything that a decision looks at, read once from the request. */
export interface Situation {
  readonly request: ModelRequest;
  readonly instruction: Instruction;
  readonly steps: readonly Step[];
  readonly turn: Turn;
  readonly state: JsonObject;
}

/** Reads a request. `instruction` is that of its agent, read from the hints or from the system prompt. */
export function situationOf(request: ModelRequest, instruction: Instruction): Situation {
  const steps = stepsOf(request.messages);
  return { request, instruction, steps, turn: currentTurn(steps), state: request.dialogueContext?.state ?? {} };
}

/** The names of the functions called since the user spoke. */
export function calledFunctions({ turn }: Situation): ReadonlySet<string> {
  return new Set(turn.since.flatMap((step) => (step.kind === "call" ? [step.name] : [])));
}

/** Whether the same call was made since the user spoke: making it again would change nothing. */
export function isRepeated({ turn }: Situation, name: string, args: JsonObject): boolean {
  return turn.since.some(
    (step) => step.kind === "call" && step.name === name && JSON.stringify(step.args) === JSON.stringify(args),
  );
}

/** Whether the conversation may be handed to an agent: it is offered, is not the one that speaks, and was not handed over to in this turn. */
export function canTransfer({ request, turn }: Situation, agent: string): boolean {
  const offered = (request.dialogueContext?.transferTargets ?? []).some(({ name }) => name === agent);
  const visited = turn.since.some(
    (step) => step.kind === "call" && step.name === TRANSFER && (step.args.agent_name ?? step.args.agent) === agent,
  );
  return offered && !visited && agent !== request.dialogueContext?.agentName;
}

/** The declaration of a function by name, or undefined when the model may not call it. */
export function declarationOf(request: ModelRequest, name: string): FunctionDeclaration | undefined {
  return request.tools.find((tool) => tool.name === name);
}

/** Whether a function takes an argument of this name. */
export function takes(declaration: FunctionDeclaration, parameter: string): boolean {
  return parameter in ((declaration.parameters.properties as JsonObject | undefined) ?? {});
}
