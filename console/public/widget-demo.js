// Puts the chat of `?deployment=…` on this page and lists its events.
const parameters = new URLSearchParams(location.search);
const deployment = parameters.get("deployment") ?? "";
const snippet = document.getElementById("snippet");
const events = document.getElementById("events");

if (deployment === "") {
  const missing = document.createElement("p");
  missing.textContent =
    "No deployment. Open this page from Connect in the console, or add ?deployment=projects/…/deployments/… to its address.";
  snippet.append(missing);
} else {
  const chat = document.createElement("frontdesk-chat");
  chat.setAttribute("deployment", deployment);
  for (const name of ["theme", "chat-title", "language-code", "welcome-event"]) {
    if (parameters.has(name)) chat.setAttribute(name, parameters.get(name));
  }
  document.body.append(chat);
  const shown = document.createElement("pre");
  shown.tabIndex = 0;
  shown.textContent = `<script src="${location.origin}/widget.js" async></script>\n<frontdesk-chat deployment="${deployment}"></frontdesk-chat>`;
  snippet.append(shown);
  for (const name of [
    "frontdesk-open",
    "frontdesk-message",
    "frontdesk-payload",
    "frontdesk-tool-call",
    "frontdesk-end",
    "frontdesk-error",
  ]) {
    chat.addEventListener(name, ({ detail }) => {
      const line = document.createElement("li");
      line.textContent = `${name} ${JSON.stringify(detail)}`;
      events.append(line);
    });
  }
}
