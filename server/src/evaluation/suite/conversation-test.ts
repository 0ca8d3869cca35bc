import { create } from "@bufbuild/protobuf";
import type { Message } from "@frontdesk/protos/ces/example";
import { SessionConfigSchema, type SessionInput } from "@frontdesk/protos/ces/session_service";
import type { ObservedTurn } from "../observation/observed-turn.ts";
import { runObservedTurn } from "../observation/run-observed-turn.ts";
import { watchTurns } from "../observation/watch-turns.ts";
import { allOf } from "../verdict.ts";
import type { AttemptContext, TestAttempt, TestCheck, TestContext } from "./contract.ts";

/** A turn of a test, and what it must do. */
export interface TestTurn {
  /** As reports name it, e.g. `turn 2`. */
  readonly title: string;
  readonly inputs: readonly SessionInput[];
  readonly useToolFakes: boolean;
  check(turn: ObservedTurn, context: TestContext): Promise<readonly TestCheck[]>;
}

/** How a conversation begins. */
interface ConversationStart {
  /** What was said before. Default: nothing. */
  readonly history?: readonly Message[];
  /** Resource name of the agent that it is with. Default: the root agent. */
  readonly entryAgent?: string;
}

/** What came of a conversation. */
interface ConversationAttempt extends TestAttempt {
  /** All messages, the earlier ones included. */
  readonly messages: readonly Message[];
}

/** Runs turns one after the other in one session. A turn that did not pass ends the test, because later turns would follow another conversation. */
export async function runConversation(
  turns: readonly TestTurn[],
  { history = [], entryAgent = "" }: ConversationStart,
  context: AttemptContext,
): Promise<ConversationAttempt> {
  const { evaluated, snapshot, answers, signal } = context;
  const watched = watchTurns(context.deps.sessions);
  const deps = { ...context.deps, sessions: watched.sessions };
  const session = `${evaluated.app.name}/sessions/eval-${deps.ids.uuid()}`;
  const checks: TestCheck[] = [];
  const messages = [...history];
  for (const [position, turn] of turns.entries()) {
    const useToolFakes = context.useToolFakes || turn.useToolFakes;
    const config = create(SessionConfigSchema, {
      session,
      useToolFakes,
      ...(position === 0 && { historicalContexts: [...history], entryAgent }),
    });
    const given = { session, config, inputs: turn.inputs, mocks: undefined };
    const settings = { stable: false, useToolFakes, spoken: false };
    const outcome = await runObservedTurn(
      given,
      { app: evaluated.app, persona: undefined, settings, snapshot, answers, signal },
      deps,
    );
    if (outcome.kind === "not-measured") {
      const problem = `${turn.title}: ${outcome.problem.message}`;
      return { verdict: "not-measured", checks, problem, messages, turns: watched.turns };
    }
    messages.push(...outcome.turn.messages);
    const found = await turn.check(outcome.turn, context);
    checks.push(...found.map((check) => ({ ...check, title: `${turn.title}: ${check.title}` })));
    if (found.some(({ verdict }) => verdict === "failed")) break;
    if (outcome.ended && position < turns.length - 1) {
      checks.push(unfinished(turns.slice(position + 1)));
      break;
    }
  }
  const verdict = allOf(checks.map((check) => check.verdict));
  return { verdict, checks, problem: "", messages, turns: watched.turns };
}

function unfinished(turns: readonly TestTurn[]): TestCheck {
  const titles = turns.map(({ title }) => title).join(", ");
  const explanation = `The agent ended the session before ${titles}.`;
  return { title: "session", verdict: "failed", expected: "", observed: "", explanation, span: "" };
}
