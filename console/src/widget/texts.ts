/** The words of the widget itself; what the agent says is in the agent's language. */
export interface Texts {
  /** Heading of the chat. */
  readonly title: string;
  readonly placeholder: string;
  readonly send: string;
  readonly responding: string;
  /** Names of parts, for screen readers. */
  readonly conversation: string;
  readonly message: string;
  /** Whose message it is, for screen readers. */
  readonly user: string;
  readonly agent: string;
  readonly openChat: string;
  readonly closeChat: string;
  /** Short, in the heading. */
  readonly newChat: string;
  readonly startAnew: string;
  readonly ended: string;
  readonly tryAgain: string;
  readonly unavailable: string;
  readonly rejected: string;
  readonly interrupted: string;
  /** The connection broke while an answer was on its way. */
  readonly reconnecting: string;
  /** The agent has answered nothing. */
  readonly noAnswer: string;
  /** On cards of things to choose from. */
  readonly choose: string;
  /** Names of the buttons that take a file and leave it out again; the second is followed by the file's name. */
  readonly attach: string;
  readonly removeFile: string;
  /** Why a file is not taken, behind its name. */
  readonly fileTooLarge: string;
  readonly fileRejected: string;
  readonly tooManyFiles: string;
}

const ENGLISH: Texts = {
  title: "Chat",
  placeholder: "Write a message",
  send: "Send",
  responding: "Responding…",
  conversation: "Conversation",
  message: "Message",
  user: "You said:",
  agent: "Answer:",
  openChat: "Open chat",
  closeChat: "Close chat",
  newChat: "New",
  startAnew: "Start a new conversation",
  ended: "The conversation has ended.",
  tryAgain: "Try again",
  unavailable: "The chat is unavailable at the moment. Your message is kept.",
  rejected: "This message could not be sent.",
  interrupted: "The page was left before the answer came.",
  reconnecting: "The connection was lost. Trying again…",
  noAnswer: "There is no answer to this.",
  choose: "Choose",
  attach: "Attach a file",
  removeFile: "Remove",
  fileTooLarge: "too large; 20 MB may be sent at once.",
  fileRejected: "files of this kind cannot be sent here.",
  tooManyFiles: "no more than 5 files may be sent at once.",
};

const GERMAN: Texts = {
  title: "Chat",
  placeholder: "Nachricht schreiben",
  send: "Senden",
  responding: "Antwort kommt …",
  conversation: "Gespräch",
  message: "Nachricht",
  user: "Sie:",
  agent: "Antwort:",
  openChat: "Chat öffnen",
  closeChat: "Chat schließen",
  newChat: "Neu",
  startAnew: "Neues Gespräch beginnen",
  ended: "Das Gespräch ist beendet.",
  tryAgain: "Erneut versuchen",
  unavailable: "Der Chat ist gerade nicht erreichbar. Ihre Nachricht bleibt erhalten.",
  rejected: "Diese Nachricht konnte nicht gesendet werden.",
  interrupted: "Die Seite wurde verlassen, bevor die Antwort kam.",
  reconnecting: "Die Verbindung ist abgebrochen. Neuer Versuch …",
  noAnswer: "Darauf gibt es keine Antwort.",
  choose: "Auswählen",
  attach: "Datei anhängen",
  removeFile: "Entfernen:",
  fileTooLarge: "zu groß; auf einmal gehen 20 MB.",
  fileRejected: "Dateien dieser Art gehen hier nicht.",
  tooManyFiles: "auf einmal gehen höchstens 5 Dateien.",
};

const FRENCH: Texts = {
  title: "Discussion",
  placeholder: "Écrire un message",
  send: "Envoyer",
  responding: "Réponse en cours…",
  conversation: "Conversation",
  message: "Message",
  user: "Vous :",
  agent: "Réponse :",
  openChat: "Ouvrir la discussion",
  closeChat: "Fermer la discussion",
  newChat: "Nouveau",
  startAnew: "Commencer une nouvelle conversation",
  ended: "La conversation est terminée.",
  tryAgain: "Réessayer",
  unavailable: "La discussion est momentanément indisponible. Votre message est conservé.",
  rejected: "Ce message n’a pas pu être envoyé.",
  interrupted: "La page a été quittée avant la réponse.",
  reconnecting: "La connexion a été perdue. Nouvel essai…",
  noAnswer: "Il n’y a pas de réponse à cela.",
  choose: "Choisir",
  attach: "Joindre un fichier",
  removeFile: "Retirer",
  fileTooLarge: "trop volumineux ; 20 Mo au plus par envoi.",
  fileRejected: "ce type de fichier ne peut pas être envoyé ici.",
  tooManyFiles: "5 fichiers au plus par envoi.",
};

const SPANISH: Texts = {
  title: "Chat",
  placeholder: "Escribe un mensaje",
  send: "Enviar",
  responding: "Respondiendo…",
  conversation: "Conversación",
  message: "Mensaje",
  user: "Tú:",
  agent: "Respuesta:",
  openChat: "Abrir el chat",
  closeChat: "Cerrar el chat",
  newChat: "Nuevo",
  startAnew: "Empezar una conversación nueva",
  ended: "La conversación ha terminado.",
  tryAgain: "Reintentar",
  unavailable: "El chat no está disponible en este momento. Tu mensaje se conserva.",
  rejected: "No se pudo enviar este mensaje.",
  interrupted: "Saliste de la página antes de que llegara la respuesta.",
  reconnecting: "Se ha perdido la conexión. Intentándolo de nuevo…",
  noAnswer: "No hay respuesta a esto.",
  choose: "Elegir",
  attach: "Adjuntar un archivo",
  removeFile: "Quitar",
  fileTooLarge: "demasiado grande; como máximo 20 MB por envío.",
  fileRejected: "aquí no se pueden enviar archivos de este tipo.",
  tooManyFiles: "como máximo 5 archivos por envío.",
};

const ITALIAN: Texts = {
  title: "Chat",
  placeholder: "Scrivi un messaggio",
  send: "Invia",
  responding: "Risposta in corso…",
  conversation: "Conversazione",
  message: "Messaggio",
  user: "Tu:",
  agent: "Risposta:",
  openChat: "Apri la chat",
  closeChat: "Chiudi la chat",
  newChat: "Nuova",
  startAnew: "Inizia una nuova conversazione",
  ended: "La conversazione è terminata.",
  tryAgain: "Riprova",
  unavailable: "La chat non è disponibile al momento. Il tuo messaggio è conservato.",
  rejected: "Impossibile inviare questo messaggio.",
  interrupted: "La pagina è stata lasciata prima della risposta.",
  reconnecting: "La connessione si è interrotta. Nuovo tentativo…",
  noAnswer: "Non c’è risposta a questo.",
  choose: "Scegli",
  attach: "Allega un file",
  removeFile: "Rimuovi",
  fileTooLarge: "troppo grande; al massimo 20 MB per invio.",
  fileRejected: "qui non si possono inviare file di questo tipo.",
  tooManyFiles: "al massimo 5 file per invio.",
};

const PORTUGUESE: Texts = {
  title: "Chat",
  placeholder: "Escreva uma mensagem",
  send: "Enviar",
  responding: "Respondendo…",
  conversation: "Conversa",
  message: "Mensagem",
  user: "Você:",
  agent: "Resposta:",
  openChat: "Abrir o chat",
  closeChat: "Fechar o chat",
  newChat: "Novo",
  startAnew: "Começar uma nova conversa",
  ended: "A conversa terminou.",
  tryAgain: "Tentar novamente",
  unavailable: "O chat não está disponível no momento. A sua mensagem foi guardada.",
  rejected: "Não foi possível enviar esta mensagem.",
  interrupted: "A página foi deixada antes de a resposta chegar.",
  reconnecting: "A ligação perdeu-se. A tentar de novo…",
  noAnswer: "Não há resposta para isto.",
  choose: "Escolher",
  attach: "Anexar um ficheiro",
  removeFile: "Remover",
  fileTooLarge: "demasiado grande; no máximo 20 MB por envio.",
  fileRejected: "aqui não se podem enviar ficheiros deste tipo.",
  tooManyFiles: "no máximo 5 ficheiros por envio.",
};

const DUTCH: Texts = {
  title: "Chat",
  placeholder: "Schrijf een bericht",
  send: "Versturen",
  responding: "Antwoord volgt…",
  conversation: "Gesprek",
  message: "Bericht",
  user: "Jij:",
  agent: "Antwoord:",
  openChat: "Chat openen",
  closeChat: "Chat sluiten",
  newChat: "Nieuw",
  startAnew: "Een nieuw gesprek beginnen",
  ended: "Het gesprek is beëindigd.",
  tryAgain: "Opnieuw proberen",
  unavailable: "De chat is op dit moment niet bereikbaar. Je bericht blijft bewaard.",
  rejected: "Dit bericht kon niet worden verstuurd.",
  interrupted: "De pagina werd verlaten voordat het antwoord kwam.",
  reconnecting: "De verbinding is verbroken. Nieuwe poging…",
  noAnswer: "Hierop is geen antwoord.",
  choose: "Kiezen",
  attach: "Bestand toevoegen",
  removeFile: "Verwijderen:",
  fileTooLarge: "te groot; samen hoogstens 20 MB.",
  fileRejected: "bestanden van deze soort kunnen hier niet worden verstuurd.",
  tooManyFiles: "hoogstens 5 bestanden tegelijk.",
};

const JAPANESE: Texts = {
  title: "チャット",
  placeholder: "メッセージを入力",
  send: "送信",
  responding: "応答中…",
  conversation: "会話",
  message: "メッセージ",
  user: "あなた：",
  agent: "回答：",
  openChat: "チャットを開く",
  closeChat: "チャットを閉じる",
  newChat: "新規",
  startAnew: "新しい会話を始める",
  ended: "会話は終了しました。",
  tryAgain: "再試行",
  unavailable: "現在チャットをご利用いただけません。メッセージは保存されています。",
  rejected: "このメッセージは送信できませんでした。",
  interrupted: "応答が届く前にページを離れました。",
  reconnecting: "接続が切れました。再試行しています…",
  noAnswer: "これに対する回答はありません。",
  choose: "選択",
  attach: "ファイルを添付",
  removeFile: "削除：",
  fileTooLarge: "サイズが大きすぎます。一度に送信できるのは20 MBまでです。",
  fileRejected: "この種類のファイルは送信できません。",
  tooManyFiles: "一度に送信できるのは5ファイルまでです。",
};

const ARABIC: Texts = {
  title: "محادثة",
  placeholder: "اكتب رسالة",
  send: "إرسال",
  responding: "جارٍ الرد…",
  conversation: "المحادثة",
  message: "الرسالة",
  user: "أنت:",
  agent: "الرد:",
  openChat: "فتح المحادثة",
  closeChat: "إغلاق المحادثة",
  newChat: "جديد",
  startAnew: "بدء محادثة جديدة",
  ended: "انتهت المحادثة.",
  tryAgain: "إعادة المحاولة",
  unavailable: "المحادثة غير متاحة حاليًا. تم الاحتفاظ برسالتك.",
  rejected: "تعذّر إرسال هذه الرسالة.",
  interrupted: "تمت مغادرة الصفحة قبل وصول الرد.",
  reconnecting: "انقطع الاتصال. جارٍ إعادة المحاولة…",
  noAnswer: "لا يوجد رد على هذا.",
  choose: "اختيار",
  attach: "إرفاق ملف",
  removeFile: "إزالة",
  fileTooLarge: "حجمه كبير جدًا؛ الحد الأقصى 20 ميغابايت في المرة الواحدة.",
  fileRejected: "لا يمكن إرسال ملفات من هذا النوع هنا.",
  tooManyFiles: "5 ملفات كحد أقصى في المرة الواحدة.",
};

const LANGUAGES: Readonly<Record<string, Texts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
  ja: JAPANESE,
  ar: ARABIC,
};

const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"]);

/** The words for a language such as `de-AT`, those that the page sets in place of them; English for a language that is not here. */
export function textsFor(languageCode: string, own: Partial<Texts>): Texts {
  return { ...(LANGUAGES[rootOf(languageCode)] ?? ENGLISH), ...own };
}

/** The direction in which a language is written. */
export function directionOf(languageCode: string): "rtl" | "ltr" {
  return RIGHT_TO_LEFT.has(rootOf(languageCode)) ? "rtl" : "ltr";
}

function rootOf(languageCode: string): string {
  return languageCode.split(/[-_]/)[0]?.toLowerCase() ?? "";
}
