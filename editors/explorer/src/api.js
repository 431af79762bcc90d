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

/// Runs one job at a time. However often it is wanted meanwhile, it is done once afterwards. The page's body says `busy` until
/// nothing is left to be done.
export function latest(name, job) {
  const busy = "busy-" + name;
  let running = false;
  let again = false;
  return async function start() {
    again = running;
    if (running) return;
    running = true;
    document.body.classList.add(busy);
    try {
      await job();
    } finally {
      running = false;
      if (again) start();
      else document.body.classList.remove(busy);
    }
  };
}
