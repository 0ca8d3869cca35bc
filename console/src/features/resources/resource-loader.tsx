import { Code, ConnectError } from "@connectrpc/connect";
import type { ReactNode } from "react";
import { resourceId } from "../../api/resource-names.ts";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { toStatusError } from "../../api/status-error.ts";
import { useResource } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { type ResourceEditor, useResourceEditor } from "../editing/use-resource-editor.ts";
import { ResourceNotFound } from "./resource-not-found.tsx";

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
        <ResourceNotFound kind={kind} name={name} />
      ) : (
        <Banner tone="error" error={toStatusError(error)} />
      )}
    </Page>
  );
}

function Editing<Kind extends Resource>({
  kind,
  server,
  children,
}: ResourceLoaderProps<Kind> & { readonly server: Kind }) {
  return children(useResourceEditor(kind, server));
}
