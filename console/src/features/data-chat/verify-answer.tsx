import { createConnectQueryKey, useMutation } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { useQueryClient } from "@tanstack/react-query";
import { BadgeCheck } from "lucide-react";
import { useMay } from "../../api/permissions.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Badge } from "../../components/badge.tsx";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { type Answer, statementOf, type WrittenStatement } from "./answer.ts";

interface VerifyAnswerProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly answer: Answer;
}

/** Makes what the answer was found with the verified query for its question; nothing where the answer has none, or is of a verified query. */
export function VerifyAnswer({ agent, answer }: VerifyAnswerProps) {
  const statement = statementOf(answer);
  const isMatched = answer.parts.some(({ kind }) => kind === "matched");
  if (!statement || isMatched) return null;
  return <Verify agent={agent} question={answer.question} statement={statement} label="Verify this answer" />;
}

interface KeepStatementProps {
  readonly agent: string;
  readonly question: string;
  readonly statement: WrittenStatement;
}

/** Makes a statement that a person corrected the verified query for the question that was answered wrong. */
export function KeepStatement(props: KeepStatementProps) {
  return <Verify {...props} label="Keep as the answer" primary />;
}

interface VerifyProps extends KeepStatementProps {
  readonly label: string;
  readonly primary?: boolean;
}

function Verify({ agent, question, statement, label, primary = false }: VerifyProps) {
  const may = useMay(agent);
  const queries = useQueryClient();
  const verify = useMutation(DataAgentService.method.verifyAnswer, {
    onSuccess: () =>
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: DataAgentService.method.getDataAgent, cardinality: "finite" }),
      }),
  });
  if (!may("geminidataanalytics.dataAgents.update")) return null;
  return (
    <div className="stack tight">
      {verify.error && <Banner tone="error" error={toStatusError(verify.error)} />}
      {verify.data ? (
        <p>
          <Badge tone="success">Verified</Badge> This query answers “{verify.data.naturalLanguageQuestion}” from now on.
        </p>
      ) : (
        <div>
          <Button
            small
            tone={primary ? "primary" : "plain"}
            isDisabled={verify.isPending}
            onPress={() => verify.mutate({ name: agent, question, ...statement })}
          >
            <BadgeCheck size={15} aria-hidden="true" /> {verify.isPending ? "Verifying…" : label}
          </Button>
        </div>
      )}
    </div>
  );
}
