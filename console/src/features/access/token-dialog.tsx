import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keepToken, tokenProblem } from "../../api/access-token.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { useAccess } from "./use-access.ts";

/** Takes the bearer token that goes along with every call of this tab. What is on screen is read again with it. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { token: kept } = useAccess();
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const typed = token.trim();
  const problem = tokenProblem(typed);
  const use = (next: string) => {
    keepToken(next);
    void queries.invalidateQueries();
    onClose();
  };
  return (
    <Dialog title="Access token" open onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed && !problem) use(typed);
        }}
      >
        <Field
          label="Bearer token"
          type="password"
          value={token}
          onChange={setToken}
          error={problem}
          hint="The one that the operator of this server gave you. It is kept until this tab is closed, and goes to this server only."
        />
        <div className="actions">
          {kept && <Button onPress={() => use("")}>Forget the token</Button>}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isDisabled={!typed || problem !== undefined}>
            Use this token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
