import { useState } from "react";
import { PREDEFINED_ROLES } from "../../../../server/src/access/roles/predefined-roles.ts";
import { type Choice, SelectField, TextField } from "../../components/field.tsx";

/** Stands for a role that the server's configuration makes. */
const OTHER_ROLE = "";

/** The roles that every server has, by the code of the server. */
const ROLES: readonly Choice<string>[] = [
  ...Object.entries(PREDEFINED_ROLES).map(([value, { title }]) => ({ value, label: value, description: title })),
  { value: OTHER_ROLE, label: "Another role", description: "A role of this server's configuration" },
];

interface RoleFieldProps {
  readonly value: string;
  readonly onChange: (role: string) => void;
  /** What the field is for. */
  readonly label?: string;
}

/** Chooses one of the roles that every server has, or takes the name of another one. */
export function RoleField({ value, onChange, label = "Role" }: RoleFieldProps) {
  const [other, setOther] = useState(false);
  return (
    <>
      <SelectField
        label={label}
        value={other ? OTHER_ROLE : value}
        choices={ROLES}
        onChange={(role) => {
          setOther(role === OTHER_ROLE);
          onChange(role);
        }}
      />
      {other && (
        <TextField label="Name of the role" value={value} onChange={onChange} placeholder="roles/acme.supervisor" />
      )}
    </>
  );
}
