import { create } from "@bufbuild/protobuf";
import {
  QualityReport_IssueSchema as IssueSchema,
  type QualityReport,
  type QualityReport_Issue,
  QualityReportSchema,
} from "@frontdesk/protos/ces/agent_service";
import type { Failure } from "./failures.ts";

/** An issue with the failures that show it. */
export interface FoundIssue {
  /** Resource name of the agent; "" for the app as a whole. */
  readonly agent: string;
  readonly description: string;
  readonly proposedSolution: string;
  /** How many failures show it. */
  readonly count: number;
}

/** One issue for each kind of failure, without a model: as often as it happened, the most frequent first. */
export function issuesByKind(failures: readonly Failure[]): readonly FoundIssue[] {
  return [...Map.groupBy(failures, ({ agent, kind }) => `${agent} ${kind}`).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const evaluations = [...new Set(same.map(({ evaluation }) => `'${evaluation}'`))].sort();
    const description = `${first.kind} fails in ${evaluations.join(", ")}. ${first.text}`;
    return [{ agent: first.agent, description, proposedSolution: solutionOf(first.kind), count: same.length }];
  });
}

/** What usually mends a kind of failure. */
const SOLUTIONS: readonly (readonly [kind: RegExp, solution: string])[] = [
  [
    /^tool call /,
    "Say in the agent's instruction when to call the tool and with which values, or in the tool's docstring what each argument is.",
  ],
  [/^extra tool call/, "Say in the agent's instruction when the tool is not to be called."],
  [/^tool calls/, "Say in the agent's instruction which tools a step calls, and in which order."],
  [/^response of /, "Look at the tool's code: it answers something else than it did."],
  [
    /^transfer to /,
    "Say in the trigger of the step when to transfer, and in the other agent's description what it is for.",
  ],
  [/^(agent response|semantic similarity)/, "Say in the agent's instruction what the answer must hold."],
  [/^variables/, "Look at the tool or callback that sets the variable."],
  [/^hallucination/, "Say in the constraints that the agent tells only what tools answered."],
];

function solutionOf(kind: string): string {
  const found = SOLUTIONS.find(([pattern]) => pattern.test(kind))?.[1];
  return found ?? "Read the failed turn beside the agent's instruction.";
}

/** The report of issues; `byAgent`: those of an agent are listed with it, and not as general ones. */
export function reportOf(run: string, issues: readonly FoundIssue[], byAgent: boolean): QualityReport {
  const sorted = [...issues].sort((one, other) => other.count - one.count);
  const isGeneral = ({ agent }: FoundIssue) => !byAgent || agent === "";
  const ofAgents = Map.groupBy(
    sorted.filter((issue) => !isGeneral(issue)),
    ({ agent }) => agent,
  );
  return create(QualityReportSchema, {
    evaluationRuns: [run],
    generalIssues: sorted.filter(isGeneral).map(issueOf),
    issues: [...ofAgents].map(([agent, own]) => ({ agent, issues: own.map(issueOf) })),
  });
}

function issueOf({ description, proposedSolution, count }: FoundIssue): QualityReport_Issue {
  return create(IssueSchema, { description, proposedSolution, occurrenceCount: count });
}
