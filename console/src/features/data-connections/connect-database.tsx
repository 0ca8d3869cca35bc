import { createConnectQueryKey, useMutation } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import {
  DataConnection_Engine as Engine,
  DataConnection_TlsMode as TlsMode,
} from "@frontdesk/protos/gda/data_connection";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorAt, fieldErrors } from "../../api/field-errors.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { counted, ENGINES, type EngineName, hasWarehouses, type TlsName, tlsChoices } from "./engines.ts";

interface ConnectDatabaseProps {
  /** Where it is connected: `projects/*​/locations/*`. */
  readonly parent: string;
  readonly onClose: () => void;
}

const EMPTY = {
  ...{ displayName: "", host: "", port: "", database: "", schema: "", warehouse: "" },
  ...{ user: "", password: "", caCertificate: "" },
};

/** Tries a database with what was typed, and connects it. */
export function ConnectDatabase({ parent, onClose }: ConnectDatabaseProps) {
  const form = useForm();
  const { create, connect, test } = useConnect(parent, onClose);
  const errors = fieldErrors(create.error ?? undefined, "data_connection");
  const isNamed = [...errors.keys()].some((path) => path in FIELDS);
  const request = form.message();
  const field = (path: keyof typeof FIELDS) => ({
    label: FIELDS[path],
    error: errorAt(errors, path),
    ...form.text(path),
  });
  return (
    <Dialog title="Connect a database" open dismissable={false} onClose={onClose}>
      <div className="stack">
        <TextField {...field("display_name")} placeholder="Shop" />
        <SelectField label="Engine" value={form.engine} choices={ENGINES} onChange={form.setEngine} />
        <TextField {...field("host")} placeholder="db.example.com" />
        <TextField {...field("port")} type="number" hint="Empty: that of the engine." />
        <TextField {...field("database")} hint={hasCatalogs(form.engine) ? "The catalog." : undefined} />
        <TextField {...field("schema")} hint="Empty: what the engine shows first." />
        {hasWarehouses(form.engine) && (
          <TextField {...field("warehouse")} hint="The SQL warehouse that runs the queries." />
        )}
        <TextField {...field("user")} hint="A user who may only read." />
        <TextField
          {...field("password")}
          type="password"
          hint="A token where the engine takes tokens. It is not shown again."
        />
        <SelectField
          label="TLS"
          value={form.tls}
          choices={tlsChoices(form.engine)}
          hint={errorAt(errors, "tls_mode")}
          onChange={form.setTls}
        />
        {form.tls === "VERIFY" && (
          <TextField {...field("ca_certificate")} lines={3} placeholder="-----BEGIN CERTIFICATE-----" />
        )}
        {create.error && !isNamed && <Banner tone="error" error={toStatusError(create.error)} />}
        {create.data && !create.isPending && (
          <Banner tone="info">
            <p>{`It answers, and shows ${counted(create.data.tableCount)}.`}</p>
          </Banner>
        )}
      </div>
      <DialogButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button isDisabled={!form.isComplete || create.isPending} onPress={() => test(request)}>
          {create.isPending ? "Connecting…" : "Test"}
        </Button>
        <Button tone="primary" isDisabled={!form.isComplete || create.isPending} onPress={() => connect(request)}>
          Connect
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Fields of text by their names in the API, with their labels. */
const FIELDS = {
  display_name: "Name",
  host: "Host",
  port: "Port (optional)",
  database: "Database",
  schema: "Schema (optional)",
  warehouse: "Warehouse",
  user: "User",
  password: "Password",
  ca_certificate: "Certificate of an authority of your own (optional)",
} as const;

function hasCatalogs(engine: EngineName): boolean {
  return engine === "TRINO" || engine === "DATABRICKS";
}

function useConnect(parent: string, onClose: () => void) {
  const queries = useQueryClient();
  const create = useMutation(DataAgentService.method.createDataConnection);
  type Request = ReturnType<ReturnType<typeof useForm>["message"]>;
  const connected = async () => {
    const { listDataConnections } = DataAgentService.method;
    const { listDataTables } = DataChatService.method;
    await Promise.all([
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: listDataConnections, cardinality: undefined }),
      }),
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: listDataTables, cardinality: undefined }),
      }),
    ]);
    onClose();
  };
  return {
    create,
    test: (dataConnection: Request) => create.mutate({ parent, dataConnection, validateOnly: true }),
    connect: (dataConnection: Request) => create.mutate({ parent, dataConnection }, { onSuccess: connected }),
  };
}

function useForm() {
  const [values, setValues] = useState(EMPTY);
  const [engine, setEngine] = useState<EngineName>("POSTGRESQL");
  const [chosen, setTls] = useState<TlsName>("VERIFY");
  const tls = tlsChoices(engine).some(({ value }) => value === chosen) ? chosen : "VERIFY";
  const text = (path: keyof typeof FIELDS) => {
    const key = path.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()) as keyof typeof EMPTY;
    return { value: values[key], onChange: (value: string) => setValues((before) => ({ ...before, [key]: value })) };
  };
  const { displayName, host, port, database, password, caCertificate, warehouse } = values;
  return {
    ...{ engine, setEngine, tls, setTls, text },
    isComplete: [displayName, host, database, password].every((value) => value.trim() !== ""),
    message: () => ({
      ...values,
      ...{ engine: Engine[engine], tlsMode: TlsMode[tls], port: Number(port) || 0, host: host.trim() },
      caCertificate: tls === "VERIFY" ? caCertificate : "",
      warehouse: hasWarehouses(engine) ? warehouse : "",
    }),
  };
}
