import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { credentialHeaders, useSession } from "../api/session.ts";
import { type StatusError, toStatusError } from "../api/status-error.ts";
import { Banner } from "../components/banner.tsx";
import { Button } from "../components/button.tsx";
import { DateTime } from "../components/date-time.tsx";
import { DescriptionList } from "../components/description-list.tsx";
import { TextField } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { shortPrincipal } from "../features/access/principal.ts";

/** Where a person allows a program without a browser to call the server in their name: `frontdesk login`. */
export function DeviceRoute() {
  const { code: given = "" } = useSearch({ strict: false }) as { code?: string };
  const [code, setCode] = useState(given);
  const [decided, setDecided] = useState<"allowed" | "denied">();
  const [error, setError] = useState<StatusError>();
  const { person } = useSession();
  const isWhole = code.replace(/[^a-z]/gi, "").length === 8;
  const login = useQuery({
    queryKey: ["device", code],
    queryFn: () => ask<Waiting>(`/auth/device?${new URLSearchParams({ code })}`),
    enabled: isWhole && decided === undefined,
    retry: false,
  });
  const decide = async (allow: boolean) => {
    try {
      await ask("/auth/device/decide", { userCode: code, allow });
      setDecided(allow ? "allowed" : "denied");
    } catch (error) {
      setError(toStatusError(error));
    }
  };
  if (decided)
    return (
      <Page title="Log in a program" narrow>
        <Banner tone="info">
          {decided === "allowed"
            ? "The program is logged in. You can close this page."
            : "The program is not logged in. You can close this page."}
        </Banner>
      </Page>
    );
  const isOperator = person?.kind === "operator";
  const problem = error ?? (login.error ? toStatusError(login.error) : undefined);
  return (
    <Page title="Log in a program" narrow>
      <div className="stack">
        <p className="page-text">
          A program wants to call this server as{" "}
          <b>{person ? shortPrincipal(person.principal) || "the operator" : "you"}</b>. Allow it only if you began this
          login yourself a moment ago, and the program shows the same code.
        </p>
        <TextField label="Code" value={code} onChange={setCode} placeholder="BCDF-GHJK" />
        {login.data && (
          <DescriptionList
            facts={[
              { name: "Began at", value: <DateTime time={new Date(login.data.requestTime)} seconds /> },
              { name: "From the address", value: <code>{login.data.address}</code> },
            ]}
          />
        )}
        {isOperator && (
          <Banner tone="info">
            The operator cannot be logged in elsewhere. Sign in as a person: frontdesk auth link --user you@example.com
          </Banner>
        )}
        {isWhole && problem && <Banner tone="error" error={problem} />}
        <div className="row">
          <Button tone="primary" isDisabled={!login.data || isOperator} onPress={() => void decide(true)}>
            Allow
          </Button>
          <Button isDisabled={!login.data} onPress={() => void decide(false)}>
            Deny
          </Button>
        </div>
      </div>
    </Page>
  );
}

interface Waiting {
  readonly address: string;
  readonly requestTime: string;
}

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const headers = await credentialHeaders();
  const answer = await fetch(path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  const json = (await answer.json()) as Answer & { readonly error?: { readonly message: string } };
  if (!answer.ok) throw new Error(json.error?.message);
  return json;
}
