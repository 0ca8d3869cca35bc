import { ArrowUp, Square } from "lucide-react";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { IconButton } from "../../../components/button.tsx";
import { takeFreeFocus } from "../../../components/free-focus.ts";
import type { TurnFile, TurnInput } from "../turn-input.ts";
import { Attachments } from "./attachments.tsx";
import { readFiles } from "./read-files.ts";
import "../../../styles/simulator/message-box.css";

interface MessageBoxProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly running: boolean;
  /** Whether sending is blocked because another session that gets the same message is still answering. */
  readonly blocked: boolean;
  readonly ended: boolean;
  /** Whether it takes the focus when it appears, from whatever has it. */
  readonly autoFocus: boolean;
  readonly placeholder: string;
  readonly onSend: (input: TurnInput) => void;
  readonly onStop: () => void;
  /** What else can be sent: buttons before the one that sends. */
  readonly children: (attach: () => void) => ReactNode;
}

/** Where one writes to the agent. Enter sends, Shift+Enter begins a line; files come by button, by paste or by drop. */
export function MessageBox({
  text,
  onText,
  running,
  blocked,
  ended,
  autoFocus,
  placeholder,
  onSend,
  onStop,
  children,
}: MessageBoxProps) {
  const { files, problems, dropping, dropTarget, add, remove, clear } = useAttachments();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!running && !ended && isWide()) takeFreeFocus(field.current);
  }, [running, ended]);
  useEffect(() => {
    if (autoFocus && isWide()) field.current?.focus();
  }, [autoFocus]);
  const ready = !running && !blocked && !ended && (text.trim() !== "" || files.length > 0);
  const send = () => {
    if (!ready) return;
    const trimmed = text.trim();
    const input: TurnInput = [
      ...files.map((file) => ({ kind: "file" as const, file })),
      ...(trimmed ? [{ kind: "text" as const, text: trimmed }] : []),
    ];
    onText("");
    clear();
    // The button that was pressed is replaced: without this the focus would be free for another session to take.
    if (isWide()) field.current?.focus();
    onSend(input);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length > 0) event.preventDefault();
    void add(pasted);
  };
  return (
    <form
      className="message-box"
      data-dropping={dropping}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...dropTarget}
    >
      <Attachments files={files} problems={problems} onRemove={remove} />
      <textarea
        ref={field}
        aria-label="Message"
        dir="auto"
        rows={1}
        value={text}
        placeholder={placeholder}
        disabled={ended}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="tools">
        {children(() => picker.current?.click())}
        <FileInput input={picker} onFiles={(picked) => void add(picked)} />
        <span className="end" />
        {running ? <StopButton onStop={onStop} /> : <SendButton ready={ready} />}
      </div>
    </form>
  );
}

function StopButton({ onStop }: Pick<MessageBoxProps, "onStop">) {
  return (
    <IconButton label="Stop" onPress={onStop}>
      <Square size={16} aria-hidden="true" />
    </IconButton>
  );
}

function SendButton({ ready }: { readonly ready: boolean }) {
  return (
    <IconButton label="Send" tone="primary" type="submit" isDisabled={!ready}>
      <ArrowUp size={18} aria-hidden="true" />
    </IconButton>
  );
}

/** Whether there is room for the keyboard of a touch screen beside the page: on a narrow one it would cover the answer. */
function isWide(): boolean {
  return window.matchMedia("(min-width: 52rem)").matches;
}

interface FileInputProps {
  /** Its click opens the file dialog of the browser. */
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onFiles: (files: readonly File[]) => void;
}

function FileInput({ input, onFiles }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      aria-label="Files to attach"
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        event.target.value = "";
      }}
    />
  );
}

/** The files of the next message. `dropTarget` are the event handlers of the element onto which files are dropped. */
function useAttachments() {
  const [files, setFiles] = useState<readonly TurnFile[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [dropping, setDropping] = useState(false);
  const add = async (picked: readonly File[]) => {
    if (picked.length === 0) return;
    const found = await readFiles(picked, files);
    setFiles((before) => [...before, ...found.read]);
    setProblems(found.problems);
  };
  const dropTarget = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setDropping(true);
    },
    onDragLeave: () => setDropping(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setDropping(false);
      void add([...event.dataTransfer.files]);
    },
  };
  return {
    files,
    problems,
    dropping,
    dropTarget,
    add,
    remove: (at: number) => setFiles((before) => before.filter((_, index) => index !== at)),
    clear: () => {
      setFiles([]);
      setProblems([]);
    },
  };
}
