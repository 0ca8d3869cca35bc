import { useState } from "react";
import { SelectField, TextField } from "../../components/field.tsx";
import { OTHER_ROLE, ROLES } from "./roles.ts";

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
