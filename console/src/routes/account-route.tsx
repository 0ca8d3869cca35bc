import { useMay } from "../api/permissions.ts";
import { useProjects } from "../api/projects.ts";
import { credentialHeaders, useSession } from "../api/session.ts";
import { Badge } from "../components/badge.tsx";
import { Banner } from "../components/banner.tsx";
import { Button } from "../components/button.tsx";
import { DateTime } from "../components/date-time.tsx";
import { DescriptionList } from "../components/description-list.tsx";
import { Page } from "../components/page.tsx";
import { kindLabel, shortPrincipal } from "../features/access/principal.ts";

/** Who the server takes the person for, what they may do, and the way out. */
export function AccountRoute() {
  const { authentication, person, expireTime } = useSession();
  const projects = useProjects();
  if (authentication === "off")
    return (
      <Page title="Account" narrow>
        <Banner tone="info">This server does not ask who calls: everybody who reaches it may do everything.</Banner>
      </Page>
    );
  return (
    <Page title="Account" narrow actions={person && <Button onPress={() => void signOut()}>Sign out</Button>}>
      <div className="stack">
        {person ? (
          <DescriptionList
            facts={[
              { name: "Signed in as", value: person.name ?? (shortPrincipal(person.principal) || "Operator") },
              ...(person.principal ? [{ name: "Member", value: <code>{person.principal}</code> }] : []),
              { name: "Kind", value: kindLabel(person.kind) },
              ...(expireTime ? [{ name: "Session ends", value: <DateTime time={new Date(expireTime)} /> }] : []),
            ]}
          />
        ) : (
          <Banner tone="info">This tab uses an access token.</Banner>
        )}
        <h2>What you may do</h2>
        {projects.map((project) => (
          <Rights key={project} project={project} />
        ))}
      </div>
    </Page>
  );
}

const DEEDS: readonly (readonly [permission: string, words: string])[] = [
  ["ces.apps.list", "See apps"],
  ["ces.apps.create", "Create apps"],
  ["geminidataanalytics.dataAgents.list", "See data agents"],
  ["resourcemanager.projects.getIamPolicy", "See members"],
  ["resourcemanager.projects.setIamPolicy", "Manage members"],
  ["identity.credentials.list", "See keys"],
  ["identity.credentials.create", "Manage keys"],
];

function Rights({ project }: { readonly project: string }) {
  const may = useMay(project);
  const deeds = DEEDS.filter(([permission]) => may(permission));
  return (
    <section className="stack tight">
      <h3>
        <code>{project}</code>
      </h3>
      <div className="row wrap">
        {deeds.length === 0 ? (
          <p className="muted">Only what you were given on single apps and data agents.</p>
        ) : (
          deeds.map(([permission, words]) => <Badge key={permission}>{words}</Badge>)
        )}
      </div>
    </section>
  );
}

async function signOut(): Promise<void> {
  await fetch("/auth/logout", { method: "POST", headers: await credentialHeaders() });
  // A whole load: nothing of the person's data stays in the page.
  window.location.assign("/console/sign-in");
}
