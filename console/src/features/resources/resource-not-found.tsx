import { Link } from "@tanstack/react-router";
import { pagePath, parentApp } from "../../api/resource-names.ts";
import type { ResourceType } from "../../api/resource-types.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { fieldLabel, fieldLabelInSentence } from "../message-form/field-labels.ts";

interface ResourceNotFoundProps {
  readonly kind: Pick<ResourceType, "singular" | "collection">;
  readonly name: string;
}

/** In place of a resource that does not exist: the way to the list of its kind. */
export function ResourceNotFound({ kind, name }: ResourceNotFoundProps) {
  return (
    <EmptyState
      title={`${fieldLabel(kind.singular)} not found`}
      action={
        <Link className="button" to={listAddress(kind, name)}>
          All {fieldLabelInSentence(kind.collection)}
        </Link>
      }
    >
      It may have been deleted, or the address is wrong.
    </EmptyState>
  );
}

/** The page that lists resources of this kind; toolsets are listed with tools. */
function listAddress({ collection }: Pick<ResourceType, "collection">, name: string): string {
  if (collection === "apps") return "/console";
  return `${pagePath(parentApp(name))}/${collection === "toolsets" ? "tools" : collection}`;
}
