import { create, toJson } from "@bufbuild/protobuf";
import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { useMemo } from "react";
import { findPersonalData, type PersonalData } from "../../../../server/src/session/redaction/find-personal-data.ts";
import { Banner } from "../../components/banner.tsx";

/** Warns of what seems to be a person's in an evaluation, which then is in exports and in every run of it. */
export function PersonalDataNotice({ evaluation }: { readonly evaluation: Evaluation }) {
  const found = useMemo(() => personalDataOf(evaluation), [evaluation]);
  if (found.length === 0) return null;
  return (
    <Banner tone="warning">
      <p>
        This seems to have personal data: {found.join(", ")}. If it is a person’s, write an invented value in its place,
        such as ada@example.com: evaluations go into exports and repositories.
      </p>
    </Banner>
  );
}

/** What was found and where, in words, each once: `mail address in turn 2`. */
export function personalDataOf({ inputs }: Evaluation): readonly string[] {
  if (inputs.case === undefined) return [];
  const value = toJson(EvaluationSchema, create(EvaluationSchema, { inputs }));
  return [...new Set([...findPersonalData(value)].flatMap(inWords))];
}

function inWords({ path, kinds }: PersonalData): readonly string[] {
  const [, part, turn] = path;
  const place = part === "turns" && typeof turn === "number" ? ` in turn ${turn + 1}` : "";
  return kinds.map((kind) => kind + place);
}
