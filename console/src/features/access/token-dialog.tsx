import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { storeToken, tokenError, useAccessState } from "../../api/access-token.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { TextField } from "../../components/field.tsx";

/** Takes the bearer token that goes along with every call of this tab. What is on screen is read again with it. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { token: kept } = useAccessState();
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const typed = token.trim();
  const problem = tokenError(typed);
  const ready = typed !== "" && problem === undefined;
  const use = (next: string) => {
    storeToken(next);
    void queries.invalidateQueries();
    onClose();
  };
  return (
    <Dialog title="Access token" open onClose={onClose}>
      <DialogForm ready={ready} onSubmit={() => use(typed)}>
        <TextField
          label="Bearer token"
          type="password"
          value={token}
          onChange={setToken}
          error={problem}
          hint="Ask the operator of this server for a token. It is stored in this tab until you close it, and sent to this server only."
        />
        <DialogButtons>
          {kept && <Button onPress={() => use("")}>Remove token</Button>}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isDisabled={!ready}>
            Use token
          </Button>
        </DialogButtons>
      </DialogForm>
    </Dialog>
  );
}
