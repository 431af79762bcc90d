// Asking the server. Who opened the page by the address that it printed has a token, which stays in this browser.

const KEY = "brook-token";

/// Takes the token out of the address, where it would be copied with links.
export function takeToken() {
  const said = new URLSearchParams(location.hash.slice(1));
  const token = said.get("token");
  if (!token) return;
  localStorage.setItem(KEY, token);
  said.delete("token");
  history.replaceState(null, "", "#" + said);
}

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export async function ask(what, question) {
  let answer;
  try {
    answer = await fetch("/api/" + what, {
      method: "POST",
      headers: { authorization: "Bearer " + (localStorage.getItem(KEY) ?? "") },
      body: JSON.stringify(question),
    });
  } catch {
    throw new Refused(0, "'brook explore' does not answer; is it still running?");
  }
  if (!answer.ok) throw new Refused(answer.status, await answer.text());
  return answer.json();
}

/// Runs one job at a time. Of those that come meanwhile, only the last one is done afterwards.
export function latest(job) {
  let running = false;
  let waiting = null;
  return async function start(...given) {
    if (running) {
      waiting = given;
      return;
    }
    running = true;
    try {
      await job(...given);
    } finally {
      running = false;
      if (waiting) {
        const next = waiting;
        waiting = null;
        start(...next);
      }
    }
  };
}
