import { resourceId, resourceTitle } from "../../api/resource-names.ts";
import { deployments, versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { SelectField } from "../../components/field.tsx";

interface TargetSelectProps {
  readonly app: string;
  /** Resource name; "" = the draft. */
  readonly value: string;
  readonly onChange: (target: string) => void;
  /** Whether its label shows. Default false. */
  readonly labelled?: boolean;
}

/** What a session runs: the app as it is edited, one of its versions, or one of its deployments. */
export function TargetSelect({ app, value, onChange, labelled = false }: TargetSelectProps) {
  const frozen = useResources(versions, app).data ?? [];
  const deployed = useResources(deployments, app).data ?? [];
  const choices = [
    { value: "", label: "Draft", description: "The current state of the app" },
    ...frozen.map((version) => ({ value: version.name, label: resourceTitle(version), description: "Version" })),
    ...deployed
      .filter(({ name }) => !/\/try-\d+-\d+$/.test(name))
      .map((deployment) => ({ value: deployment.name, label: resourceTitle(deployment), description: "Deployment" })),
  ];
  const known = choices.some((choice) => choice.value === value);
  return (
    <SelectField
      label="Version or deployment"
      hideLabel={!labelled}
      value={value}
      choices={known ? choices : [...choices, { value, label: resourceId(value) }]}
      onChange={onChange}
    />
  );
}
