import { Check, ChevronDown } from "lucide-react";
import { type ReactNode, useId } from "react";
import {
  Checkbox as AriaCheckbox,
  Switch as AriaSwitch,
  TextField as AriaTextField,
  Button,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
  TextArea,
} from "react-aria-components";
import { useReadOnly } from "./read-only.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** One sentence below the field: what belongs in it. */
  readonly hint?: ReactNode;
  /** Validation error of the server or the page. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Whether the text is only shown, and can be selected and copied. Default: as the form around it. */
  readonly readOnly?: boolean;
  /** Lines of a text area; absent: one line. */
  readonly lines?: number;
  readonly type?: "text" | "number" | "search" | "url" | "password";
  readonly hideLabel?: boolean;
}

/** A labelled text, of one line or more. */
export function TextField({
  label,
  hint,
  error,
  placeholder,
  lines,
  hideLabel,
  type = "text",
  ...state
}: TextFieldProps) {
  const isInReadOnly = useReadOnly();
  return (
    <AriaTextField
      className="field"
      value={state.value}
      onChange={state.onChange}
      type={type}
      isRequired={state.required ?? false}
      isDisabled={state.disabled ?? false}
      isReadOnly={state.readOnly ?? isInReadOnly}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <Label className={hideLabel ? "visually-hidden" : ""}>{label}</Label>
      {lines ? (
        <TextArea className="input" dir="auto" rows={lines} placeholder={placeholder ?? ""} />
      ) : (
        <Input className="input" dir="auto" placeholder={placeholder ?? ""} />
      )}
      {hint && <Text slot="description">{hint}</Text>}
      <FieldError className="invalid">{error}</FieldError>
    </AriaTextField>
  );
}

/** One choice of a select. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly description?: string;
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
  readonly hint?: ReactNode;
  readonly hideLabel?: boolean;
  readonly disabled?: boolean;
}

/** One of a few named choices. */
export function SelectField<Value extends string>({
  label,
  value,
  choices,
  onChange,
  hint,
  hideLabel,
  disabled,
}: SelectFieldProps<Value>) {
  const isReadOnly = useReadOnly();
  return (
    <Select
      className="field"
      value={value}
      onChange={(key) => onChange(choices.find((choice) => choice.value === key)?.value ?? value)}
      isDisabled={disabled ?? isReadOnly}
    >
      <Label className={hideLabel ? "visually-hidden" : "label"}>{label}</Label>
      <Button className="button select-button">
        <SelectValue className="truncate" />
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      {hint && <Text slot="description">{hint}</Text>}
      <Popover className="popover">
        <ListBox>
          {choices.map((choice) => (
            <ListBoxItem key={choice.value} id={choice.value} textValue={choice.label} className="option">
              <Text slot="label">{choice.label}</Text>
              {choice.description && (
                <Text slot="description" className="muted">
                  {choice.description}
                </Text>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

interface SwitchProps {
  readonly selected: boolean;
  readonly onChange: (selected: boolean) => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** Something that is on or off at once. */
export function Switch({ selected, onChange, disabled, children }: SwitchProps) {
  return (
    <AriaSwitch
      className="switch"
      isSelected={selected}
      onChange={onChange}
      isDisabled={disabled ?? false}
      isReadOnly={useReadOnly()}
    >
      <span className="knob" />
      {children}
    </AriaSwitch>
  );
}

interface DateFieldProps {
  readonly label: string;
  /** As `2026-11-20`; "" is none. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A day, chosen with the browser's own calendar. */
export function DateField({ label, value, onChange }: DateFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input" type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

interface CheckboxProps {
  readonly selected: boolean;
  readonly onChange: (selected: boolean) => void;
  /** Accessible name; not visible, because the checkbox is next to what it selects. */
  readonly label: string;
}

/** Chooses one thing of several. */
export function Checkbox({ selected, onChange, label }: CheckboxProps) {
  return (
    <AriaCheckbox className="checkbox" isSelected={selected} onChange={onChange} aria-label={label}>
      <span className="box">{selected && <Check size={13} aria-hidden="true" />}</span>
    </AriaCheckbox>
  );
}
