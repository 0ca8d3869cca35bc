import { Code, ConnectError } from "@connectrpc/connect";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pagePath, parentApp, resourceId } from "../../api/resource-names.ts";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { toStatusError } from "../../api/status-error.ts";
import { useResource } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { type ResourceEditor, useResourceEditor } from "../editing/use-resource-editor.ts";
import { fieldLabel } from "../message-form/field-labels.ts";

interface ResourceLoaderProps<Kind extends Resource> {
  readonly kind: ResourceType<Kind>;
  readonly name: string;
  readonly children: (editor: ResourceEditor<Kind>) => ReactNode;
}

/** Loads a resource and renders its editor, or the loading and error states. */
export function ResourceLoader<Kind extends Resource>(props: ResourceLoaderProps<Kind>) {
  const { kind, name } = props;
  const { data, error } = useResource(kind, name);
  if (data) return <Editing key={name} {...props} server={data} />;
  const title = resourceId(name);
  if (!error) {
    return (
      <Page title={title}>
        <Loading>{`Loading ${kind.singular}…`}</Loading>
      </Page>
    );
  }
  return (
    <Page title={title}>
      {ConnectError.from(error).code === Code.NotFound ? (
        <EmptyState
          title={`${fieldLabel(kind.singular)} not found`}
          action={
            <Link className="button" to={listAddress(kind, name)}>
              All {kind.collection}
            </Link>
          }
        >
          It may have been deleted, or the address is wrong.
        </EmptyState>
      ) : (
        <Banner tone="error" error={toStatusError(error)} />
      )}
    </Page>
  );
}

/** The page that lists resources of this kind; toolsets are listed with tools. */
function listAddress({ collection }: Pick<ResourceType, "collection">, name: string): string {
  if (collection === "apps") return "/console";
  return `${pagePath(parentApp(name))}/${collection === "toolsets" ? "tools" : collection}`;
}

function Editing<Kind extends Resource>({
  kind,
  server,
  children,
}: ResourceLoaderProps<Kind> & { readonly server: Kind }) {
  return children(useResourceEditor(kind, server));
}
