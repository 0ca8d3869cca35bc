import { Code, ConnectError } from "@connectrpc/connect";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { toRefusal } from "../../api/refusal.ts";
import { addressOf, appOf, idOf } from "../../api/resource-address.ts";
import type { Resource, ResourceKind } from "../../api/resource-kind.ts";
import { useResource } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { type Draft, useDraft } from "../draft/use-draft.ts";

interface ResourceScreenProps<Kind extends Resource> {
  readonly kind: ResourceKind<Kind>;
  readonly name: string;
  readonly children: (draft: Draft<Kind>) => ReactNode;
}

/** Reads a resource, says so while it does, and hands it over to be edited. */
export function ResourceScreen<Kind extends Resource>(props: ResourceScreenProps<Kind>) {
  const { kind, name } = props;
  const { data, error } = useResource(kind, name);
  if (data) return <Editing key={name} {...props} server={data} />;
  const title = idOf(name);
  if (!error) {
    return (
      <Page title={title}>
        <Busy>{`Reading the ${kind.singular}`}</Busy>
      </Page>
    );
  }
  return (
    <Page title={title}>
      {ConnectError.from(error).code === Code.NotFound ? (
        <EmptyState
          title={`There is no such ${kind.singular}`}
          action={
            <Link className="button" to={listAddress(kind, name)}>
              All {kind.collection}
            </Link>
          }
        >
          It may have been deleted or never existed.
        </EmptyState>
      ) : (
        <Banner tone="bad" refusal={toRefusal(error)} />
      )}
    </Page>
  );
}

/** The page that lists resources of this kind; toolsets stand among the tools. */
function listAddress({ collection }: Pick<ResourceKind, "collection">, name: string): string {
  if (collection === "apps") return "/console";
  return `${addressOf(appOf(name))}/${collection === "toolsets" ? "tools" : collection}`;
}

function Editing<Kind extends Resource>({
  kind,
  server,
  children,
}: ResourceScreenProps<Kind> & { readonly server: Kind }) {
  return children(useDraft(kind, server));
}
