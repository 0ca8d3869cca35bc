import { deployments } from "../../api/kinds/deployments.ts";
import { versions } from "../../api/kinds/versions.ts";
import { idOf, titleOf } from "../../api/resource-address.ts";
import { useResources } from "../../api/use-resources.ts";
import { Pick } from "../../components/field.tsx";

interface TargetPickProps {
  readonly app: string;
  /** Resource name; "" = the draft. */
  readonly value: string;
  readonly onChange: (target: string) => void;
  /** Whether its label shows. Default false: what it is stands to reason. */
  readonly labelled?: boolean;
}

/** What a session runs: the app as it is edited, one of its versions, or one of its deployments. */
export function TargetPick({ app, value, onChange, labelled = false }: TargetPickProps) {
  const frozen = useResources(versions, app).data ?? [];
  const deployed = useResources(deployments, app).data ?? [];
  const choices = [
    { value: "", label: "Draft", description: "The app as it is edited now" },
    ...frozen.map((version) => ({ value: version.name, label: titleOf(version), description: "Version" })),
    ...deployed
      .filter(({ name }) => !/\/try-\d+-\d+$/.test(name))
      .map((deployment) => ({ value: deployment.name, label: titleOf(deployment), description: "Deployment" })),
  ];
  const known = choices.some((choice) => choice.value === value);
  return (
    <Pick
      label="What the session runs"
      hideLabel={!labelled}
      value={value}
      choices={known ? choices : [...choices, { value, label: idOf(value) }]}
      onChange={onChange}
    />
  );
}
