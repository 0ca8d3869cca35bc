import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamOptions, type StreamPart } from "#models";
import { createBuiltinModel } from "#offline";
import { call, type ScriptedAnswer, ScriptedModel, say } from "#testing";

/** A model for tests: what the assistant says and calls is scripted, and every other agent is led by the built-in model. */
export class AssistantModel implements LanguageModel {
  readonly label = "test/assistant";
  readonly capabilities = { ...LLM_CAPABILITIES, dialogueContext: true };
  readonly #builtin = createBuiltinModel();
  #script = new ScriptedModel();

  /** What the assistant answers from now on. */
  set answers(answers: readonly ScriptedAnswer[]) {
    this.#script = new ScriptedModel(...answers);
  }

  /** What the assistant was asked since its answers were set. */
  get asked(): readonly ModelRequest[] {
    return this.#script.requests;
  }

  async *stream(request: ModelRequest, options: StreamOptions): AsyncGenerator<StreamPart, void> {
    if (request.caller === "Assistant") yield* this.#script.stream(request, options);
    else if (request.caller?.startsWith("judge"))
      yield* new ScriptedModel(say('{"explanation": "It fits.", "score": 4}')).stream(request, options);
    else yield* this.#builtin.stream(request, options);
  }
}

/** Adds an agent that answers, as an app's root. */
export function addsClerk(app: string): readonly ScriptedAnswer[] {
  const agent = {
    displayName: "Clerk",
    description: "Answers.",
    instruction: CLERK,
    tools: [`${app}/tools/end_session`],
  };
  return [
    call("frontdesk_create_agent", { parent: app, agentId: "clerk", agent }),
    call("frontdesk_update_app", {
      app: { name: app, rootAgent: `${app}/agents/clerk` },
      updateMask: "rootAgent",
    }),
    [
      ...say("I would add a clerk."),
      ...call("suggest_replies", { intent: "A desk with a clerk", replies: ["Add a tool."] }),
    ],
  ];
}

const CLERK = `<role>You are the clerk.</role>
<persona>Friendly.</persona>
<taskflow>
Today is {current_date}.
<subtask name="Answer">
<step name="Answer">
<trigger>A question.</trigger>
<action>Answer, then call {@TOOL: end_session}.</action>
</step>
</subtask>
</taskflow>
`;
