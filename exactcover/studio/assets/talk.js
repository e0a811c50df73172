// Questions to the server. A question of a channel ends the one before it.

import { Advisor } from "./advisor.js";

const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.get("token")) {
  sessionStorage.setItem("token", fragment.get("token"));
  fragment.delete("token");
  history.replaceState(null, "", fragment.size ? `/#${fragment}` : "/");
}
const token = sessionStorage.getItem("token") ?? "";
const tab = crypto.randomUUID();
const running = new Map();
const NO_STUDIO = "the studio does not answer; is it still running?";

function send(path, content, signal) {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(content), signal });
}

// Call `receive` with each part of the answer. Resolves to the last part, or to null if another question came first.
/** @param {string} channel @param {object} question @param {(part: any) => void} receive @returns {Promise<any>} */
export async function ask(channel, question, receive = () => {}) {
  running.get(channel)?.abort();
  const control = new AbortController();
  running.set(channel, control);
  let last = {};
  try {
    const response = await send("/api/ask", { ...question, tab: `${tab} ${channel}` }, control.signal);
    if (!response.ok)
      throw new Error((await response.json().catch(() => ({}))).error ?? `the server answered ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (control.signal.aborted) return null;
      text += value ?? "";
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines) receive((last = JSON.parse(line)));
      if (done) return last;
    }
  } catch (error) {
    if (control.signal.aborted) return null;
    receive((last = { error: error instanceof TypeError ? NO_STUDIO : error.message }));
    return last;
  } finally {
    if (running.get(channel) === control) running.delete(channel);
  }
}

// End the question of a channel, if there is one.
export function stopAsking(channel) {
  running.get(channel)?.abort();
}

// List, read or write files.
export async function useFiles(wish) {
  try {
    return await (await send("/api/files", wish)).json();
  } catch {
    return { error: NO_STUDIO };
  }
}

// Show a dialog until it is closed.
export function showDialog(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// Answers to the questions of play, by the server; `read` returns the puzzle.
export class ServerAnswers extends Advisor {
  constructor(read) {
    super({});
    this.read = read;
  }

  // Which puzzle this is.
  get key() {
    return JSON.stringify(this.read());
  }

  async play() {
    const answer = await ask("act", { question: "play", ...this.read() });
    if (answer?.matrix) this.board = answer;
    return answer;
  }

  position(chosen, without, { channel = "position" } = {}) {
    return ask(channel, { question: "position", ...this.read(), chosen, without });
  }

  candidates(chosen, without) {
    return ask("candidates", { question: "candidates", ...this.read(), chosen, without });
  }
}
