import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createConnectQueryKey, useInfiniteQuery, useMutation } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { SharedAnswer_Audience as Audience, type SharedAnswer } from "@frontdesk/protos/gda/shared_answer";
import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/permissions.ts";
import { pagePath } from "../../../api/resource-names.ts";
import { useSession } from "../../../api/session.ts";
import { toStatusError } from "../../../api/status-error.ts";
import { Badge } from "../../../components/badge.tsx";
import { Banner } from "../../../components/banner.tsx";
import { Button, IconButton } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { DialogButtons } from "../../../components/dialog-actions.tsx";
import { SelectField, Switch } from "../../../components/field.tsx";
import { ALL_PAGES, ShowMore } from "../../resources/named-rows.tsx";
import type { WrittenStatement } from "../answer.ts";
import { useDataAgent } from "../use-data-chat.ts";
import "../../../styles/shared-answer.css";

interface ShareDialogProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly question: string;
  readonly statement: WrittenStatement;
  readonly onClose: () => void;
}

const DAYS = ["7", "30", "90", "365"].map((days) => ({ value: days, label: `${days} days` }));
const DAY_MS = 86_400_000;

/** Makes a link to an answer, for those who may ask the data agent or for everybody, and revokes the links that there are. */
export function ShareDialog({ agent: name, question, statement, onClose }: ShareDialogProps) {
  const { agent } = useDataAgent(name);
  const [audience, setAudience] = useState<"CALLERS" | "ANYONE_WITH_LINK">("CALLERS");
  const [days, setDays] = useState("30");
  const refresh = useRefresh();
  const create = useMutation(DataAgentService.method.createSharedAnswer, { onSuccess: refresh });
  const isPublic = audience === "ANYONE_WITH_LINK";
  const allowed = agent?.publicLinksAllowed ?? false;
  // A clock that is ahead of the server's a little must not make it more days than may be.
  const expireTime = () => timestampFromMs(Date.now() + Number(days) * DAY_MS - 60_000);
  const share = () =>
    create.mutate({
      parent: name,
      sharedAnswer: {
        question,
        ...statement,
        audience: Audience[audience],
        ...(isPublic && { expireTime: expireTime() }),
      },
    });
  return (
    <Dialog title="Share this answer" open onClose={onClose}>
      <div className="stack share-answer">
        <p>
          “{question}”, with its table and chart as they are when the link is opened. Whoever opens it can change
          nothing.
        </p>
        <SelectField
          label="Who may open it"
          value={audience}
          choices={[
            {
              value: "CALLERS",
              label: "People who may ask this data agent",
              description: "They see the rows that they may see.",
            },
            {
              value: "ANYONE_WITH_LINK",
              label: "Anyone with the link",
              description: "Without signing in, until it ends.",
            },
          ]}
          onChange={(chosen) => {
            setAudience(chosen);
            create.reset();
          }}
        />
        {isPublic && !allowed && <AllowPublicLinks agent={name} />}
        {isPublic && allowed && (
          <SelectField
            label="It ends after"
            value={days}
            choices={DAYS}
            onChange={(chosen) => {
              setDays(chosen);
              create.reset();
            }}
          />
        )}
        {create.error && <Banner tone="error" error={toStatusError(create.error)} />}
        {create.data && (
          <div className="stack tight">
            <CodeBlock text={linkTo(create.data)} label="link" wrapped />
            {create.data.token && <p className="muted">It is shown once.</p>}
          </div>
        )}
        <Links agent={name} />
      </div>
      <DialogButtons>
        <Button onPress={onClose}>Close</Button>
        <Button tone="primary" isDisabled={create.isPending || (isPublic && !allowed)} onPress={share}>
          {create.isPending ? "Creating…" : "Create link"}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The switch of the owner; a sentence for everybody else. */
function AllowPublicLinks({ agent: name }: { readonly agent: string }) {
  const may = useMay(name);
  const refresh = useRefresh();
  const update = useMutation(DataAgentService.method.updateDataAgentSync, { onSuccess: refresh });
  const allow = (publicLinksAllowed: boolean) =>
    update.mutate({ dataAgent: { name, publicLinksAllowed }, updateMask: { paths: ["public_links_allowed"] } });
  if (!may("geminidataanalytics.dataAgents.update"))
    return <Banner tone="info">The owner of this data agent does not allow links for everybody.</Banner>;
  return (
    <div className="stack tight">
      {update.error && <Banner tone="error" error={toStatusError(update.error)} />}
      <Switch selected={false} disabled={update.isPending} onChange={allow}>
        Allow links for everybody to answers of this data agent
      </Switch>
    </div>
  );
}

/** The links to answers of the agent, which can be revoked. */
function Links({ agent }: { readonly agent: string }) {
  const refresh = useRefresh();
  const list = useInfiniteQuery(
    DataAgentService.method.listSharedAnswers,
    { ...ALL_PAGES.request, parent: agent },
    ALL_PAGES.options,
  );
  const revoke = useMutation(DataAgentService.method.deleteSharedAnswer, { onSuccess: refresh });
  const may = useMay(agent);
  const { person } = useSession();
  const mayRevoke = ({ creator }: SharedAnswer) =>
    may("geminidataanalytics.sharedAnswers.delete") || (creator !== "" && creator === person?.principal);
  const links = list.data?.pages.flatMap(({ sharedAnswers }) => sharedAnswers) ?? [];
  if (list.error) return <Banner tone="error" error={toStatusError(list.error)} />;
  if (links.length === 0) return null;
  return (
    <section className="stack tight" aria-label="Links">
      <h3>Links to answers of this data agent</h3>
      {revoke.error && <Banner tone="error" error={toStatusError(revoke.error)} />}
      <ul className="shared-links">
        {links.map((link) => (
          <li key={link.name}>
            <div>
              <LinkedAnswer link={link} />
              <p className="muted">
                {link.expireTime && (
                  <>
                    until <DateTime time={link.expireTime} />
                  </>
                )}{" "}
                {link.creator && <>by {link.creator.replace(/^\w+:/, "")}</>}
              </p>
            </div>
            {mayRevoke(link) && (
              <IconButton
                label={`Revoke the link to “${link.question}”`}
                isDisabled={revoke.isPending}
                onPress={() => revoke.mutate({ name: link.name })}
              >
                <Trash2 size={16} aria-hidden="true" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </section>
  );
}

/** The question of a link, which opens it where that takes no token. */
function LinkedAnswer({ link }: { readonly link: SharedAnswer }) {
  if (link.audience !== Audience.ANYONE_WITH_LINK)
    return (
      <a href={linkTo(link)} target="_blank" rel="noreferrer">
        {link.question}
      </a>
    );
  return (
    <>
      {link.question} <Badge tone="warning">Anyone with the link</Badge>
    </>
  );
}

/** Where the console shows a shared answer. The token is in the fragment, which browsers send to no server. */
function linkTo({ name, token }: SharedAnswer): string {
  return `${window.location.origin}${pagePath(name)}${token && `#${token}`}`;
}

function useRefresh() {
  const queries = useQueryClient();
  const { listSharedAnswers, getDataAgent } = DataAgentService.method;
  return () =>
    Promise.all([
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: listSharedAnswers, cardinality: "infinite" }),
      }),
      queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema: getDataAgent, cardinality: "finite" }) }),
    ]);
}
